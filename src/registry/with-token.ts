import { setTimeout as pause } from 'node:timers/promises'
import { CallFailure } from '../domain/call-failure.ts'
import { AccessDenied, InvalidDocument, NotFound, NotSent, Outage, PlanBlocked, Refused, TokenDead } from './errors.ts'
import type { Token, TokenKeeper } from './token-keeper.ts'

/** One attempt, which takes its token when its turn has come; null where no token was available. */
export type Attempt<T> = (take: () => Token | null) => Promise<T | null>

/**
 * Makes the attempt with the present token. A 401 renews the token and sends again. That is safe for spending calls too,
 * because a 401 did nothing.
 *
 * With many calls under way, others may use up the next token as well, so this repeats for as long as the registry accepts
 * tokens from any caller. Several tokens in a row that nobody could use count as a dead one.
 *
 * Between two tries the event loop gets its turn, each time a longer one: whatever the keeper answers, a call that finds
 * no token must not keep signals, timers and the page waiting.
 */
export const withToken = async <T>(endpoint: string, tokens: TokenKeeper, attempt: Attempt<T>): Promise<T> => {
  for (let tries = 0; ; tries++) {
    let used: Token | null = null
    let begunAt = tokens.now()
    const take = () => {
      used = tokens.atHand()
      begunAt = tokens.now()
      return used
    }
    try {
      const reply = await attempt(take)
      if (used) {
        tokens.accepted(used, begunAt)
        return reply as T
      }
    } catch (failure) {
      if (!(failure instanceof TokenDead) || !used || !tokens.isWorthRenewing()) throw failure
      await obtained(endpoint, tokens.renew((used as Token).generation))
    }
    await obtained(endpoint, tokens.current())
    await pause(Math.min(tries, 1_000))
  }
}

/** Whether the renewal succeeds or not, the call itself was not processed. */
const obtained = async (endpoint: string, token: Token | Promise<Token>): Promise<Token> => {
  try {
    return await token
  } catch (failure) {
    if (failure instanceof TokenDead || failure instanceof Outage) throw failure
    throw new NotSent(endpoint, ['no_renewal', failure instanceof CallFailure ? failure.reason : ['vault_silent']])
  }
}

/** Any refusal of a refresh means that the token is dead. No answer does not: the refresh may be repeated. */
export function asRefusedRefresh(failure: unknown): never {
  if (!refusals.some((refusal) => failure instanceof refusal)) throw failure
  throw new TokenDead(['refresh_refused', 'POST /v1/refreshtoken'])
}

const refusals = [Refused, TokenDead, AccessDenied, PlanBlocked, NotFound, InvalidDocument]
