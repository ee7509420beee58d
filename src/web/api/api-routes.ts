import { batchOperations } from '../../operations/batches.ts'
import { changeOperations } from '../../operations/changes.ts'
import { columnOperations } from '../../operations/columns.ts'
import { fileOperations } from '../../operations/files.ts'
import { installationOperations } from '../../operations/installation.ts'
import { laneOperations } from '../../operations/lanes.ts'
import { lookupOperations } from '../../operations/lookups.ts'
import { operatorOperations } from '../../operations/operators.ts'
import { parkedOperations } from '../../operations/parked.ts'
import { personOperations } from '../../operations/person.ts'
import { portfolioOperations } from '../../operations/portfolios.ts'
import { radarOperations } from '../../operations/radars.ts'
import { rowOperations } from '../../operations/rows.ts'
import { ruleOperations } from '../../operations/rules.ts'
import { sweepOperations } from '../../operations/sweeps.ts'
import { usageOperations } from '../../operations/usage.ts'
import { type ApiRoute, operationRoute } from './api-route.ts'

/** Every operation, in the order of their description. */
const operations = [
  batchOperations,
  fileOperations,
  rowOperations,
  lookupOperations,
  parkedOperations,
  radarOperations,
  changeOperations,
  ruleOperations,
  portfolioOperations,
  personOperations,
  sweepOperations,
  usageOperations,
  laneOperations,
  columnOperations,
  installationOperations,
  operatorOperations,
].flatMap((subject) => Object.values(subject))

/** Every route of the API. */
export const apiRoutes: readonly ApiRoute[] = operations.map(operationRoute)
