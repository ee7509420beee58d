import { columnOperations } from '../../operations/columns.ts'
import { installationOperations } from '../../operations/installation.ts'
import { laneOperations } from '../../operations/lanes.ts'
import { parkedOperations } from '../../operations/parked.ts'
import { personOperations } from '../../operations/person.ts'
import { sweepOperations } from '../../operations/sweeps.ts'
import { usageOperations } from '../../operations/usage.ts'
import { operationRoute } from './api-route.ts'

export const fleetRoutes = [
  laneOperations,
  columnOperations,
  installationOperations,
  parkedOperations,
  sweepOperations,
  usageOperations,
  personOperations,
].flatMap((operations) => Object.values(operations).map(operationRoute))
