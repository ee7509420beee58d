import type { Scenario } from '../scenario.ts'
import { clocks } from './clocks.ts'
import { commitCut, diskFull, heldHorizon, postgresRestarts } from './database.ts'
import { failover, rewound } from './forgetful.ts'
import { kthDatabaseCall, kthRegistryCall } from './kth-call.ts'
import { model } from './model.ts'
import { fleetBound, kills, sigterm, twoOrganizations, unknownOutcome } from './processes.ts'
import {
  neverReady,
  outage,
  planRunsOut,
  refusals,
  tokenDies,
  tokenExpires,
  truncatedList,
  workedThenHung,
} from './registry.ts'
import { soak } from './soak.ts'

export const scenarios: readonly Scenario[] = [
  ...[kills, unknownOutcome, workedThenHung, refusals, clocks, truncatedList, planRunsOut, neverReady],
  ...[sigterm, postgresRestarts, heldHorizon, rewound, failover, commitCut, diskFull, outage, tokenDies, tokenExpires],
  ...[twoOrganizations, fleetBound, kthDatabaseCall, kthRegistryCall, model, soak],
]
