import type { AccessDenied } from './access-denied.ts'
import type { InvalidDocument } from './invalid-document.ts'
import type { NotFound } from './not-found.ts'
import type { NotSent } from './not-sent.ts'
import type { Outage } from './outage.ts'
import type { PlanBlocked } from './plan-blocked.ts'
import type { Refused } from './refused.ts'
import type { TokenDead } from './token-dead.ts'
import type { TooManyRequests } from './too-many-requests.ts'
import type { Unanswered } from './unanswered.ts'

/** All that a call to the registry can end in besides its answer. */
export type RegistryFailure =
  | NotSent
  | Outage
  | Unanswered
  | Refused
  | TooManyRequests
  | TokenDead
  | PlanBlocked
  | AccessDenied
  | InvalidDocument
  | NotFound
