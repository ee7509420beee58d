import { CallFailure } from '../domain/call-failure.ts'
import { NotSent } from './errors/not-sent.ts'
import { Outage } from './errors/outage.ts'
import { TokenDead } from './errors/token-dead.ts'
import type { Token, TokenKeeper } from './token-keeper.ts'

/**
 * Makes the attempt with the present token; a 401 renews it and sends again.
 *
 * A 401 did nothing, so this holds for spending calls too. With many calls under way the next token may be used up
 * before this call's turn comes, hence more than one round.
 */
export async function withToken<T>(
  endpoint: string,
  tokens: TokenKeeper,
  attempt: (bearer: string) => Promise<T>,
): Promise<T> {
  const present = tokens.current()
  let { token, generation } = present instanceof Promise ? await obtained(endpoint, present) : present
  for (let round = 1; ; round++) {
    try {
      return await attempt(token)
    } catch (failure) {
      if (!(failure instanceof TokenDead) || round === maxRounds) throw failure
      ;({ token, generation } = await obtained(endpoint, tokens.renew(generation)))
    }
  }
}

const maxRounds = 5

/** Whatever became of the renewal, the call itself has not been worked. */
async function obtained(endpoint: string, token: Promise<Token>): Promise<Token> {
  try {
    return await token
  } catch (failure) {
    if (failure instanceof TokenDead || failure instanceof Outage) throw failure
    const why = failure instanceof CallFailure ? failure.message : 'the token store did not answer'
    throw new NotSent(endpoint, `its token could not be renewed (${why})`)
  }
}
