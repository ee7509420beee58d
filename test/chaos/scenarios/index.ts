import type { Scenario } from '../scenario.ts'
import { clocks } from './clocks.ts'
import { commitCut } from './commit-cut.ts'
import { diskFull } from './disk-full.ts'
import { failover } from './failover.ts'
import { fleetBound } from './fleet-bound.ts'
import { heldHorizon } from './held-horizon.ts'
import { kills } from './kills.ts'
import { kthDatabaseCall, kthRegistryCall } from './kth-call.ts'
import { model } from './model.ts'
import { neverReady } from './never-ready.ts'
import { outage } from './outage.ts'
import { planRunsOut } from './plan-runs-out.ts'
import { postgresRestarts } from './postgres-restarts.ts'
import { refusals } from './refusals.ts'
import { rewound } from './rewound.ts'
import { sigterm } from './sigterm.ts'
import { soak } from './soak.ts'
import { tokenDies } from './token-dies.ts'
import { tokenExpires } from './token-expires.ts'
import { truncatedList } from './truncated-list.ts'
import { twoOrganizations } from './two-organizations.ts'
import { unknownOutcome } from './unknown-outcome.ts'
import { workedThenHung } from './worked-then-hung.ts'
import { worlds } from './worlds.ts'

export const scenarios: readonly Scenario[] = [
  kills,
  unknownOutcome,
  workedThenHung,
  refusals,
  clocks,
  truncatedList,
  worlds,
  planRunsOut,
  neverReady,
  sigterm,
  postgresRestarts,
  heldHorizon,
  rewound,
  failover,
  commitCut,
  diskFull,
  outage,
  tokenDies,
  tokenExpires,
  twoOrganizations,
  fleetBound,
  kthDatabaseCall,
  kthRegistryCall,
  model,
  soak,
]
