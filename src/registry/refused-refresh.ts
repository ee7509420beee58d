import { AccessDenied } from './errors/access-denied.ts'
import { InvalidDocument } from './errors/invalid-document.ts'
import { NotFound } from './errors/not-found.ts'
import { PlanBlocked } from './errors/plan-blocked.ts'
import { Refused } from './errors/refused.ts'
import { TokenDead } from './errors/token-dead.ts'

/** Any refusal of a refresh means that the token is dead; silence does not: it may be asked again. */
export function asRefusedRefresh(failure: unknown): never {
  if (!refusals.some((refusal) => failure instanceof refusal)) throw failure
  throw new TokenDead('POST /v1/refreshtoken', 'refused to renew the token')
}

const refusals = [Refused, TokenDead, AccessDenied, PlanBlocked, NotFound, InvalidDocument]
