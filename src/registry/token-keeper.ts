import { setTimeout as pause } from 'node:timers/promises'
import { CallFailure } from '../domain/call-failure.ts'
import { NotSent, Outage, RefusedCall, TokenDead } from './errors.ts'

export type Token = { token: string; generation: number }

/** Where the token of all workers is kept. */
export interface TokenVault {
  read(): Promise<Token | null>
  /**
   * Runs `fn` with the newest stored token, under a lock that all workers share, and stores the result as the next
   * generation. If the stored generation is already newer than the one seen, returns that one without running `fn`.
   */
  exchange(seenGeneration: number, fn: (current: Token) => Promise<string>): Promise<Token>
}

type TokenKeeper = ReturnType<typeof createTokenKeeper>

type Settings = { vault: TokenVault; refresh: (bearer: Token) => Promise<string>; now: () => Date }

export const createTokenKeeper = ({ vault, refresh, now }: Settings) => {
  let held: Token | null = null
  let renewAt = Number.POSITIVE_INFINITY
  let lastAccepted = 0
  let provenAt: Date | null = null
  let fruitless = { renewals: 0, at: 0 }
  let renewing: { from: number; next: Promise<Token> } | null = null
  let ahead: Promise<Token> | null = null
  let dead: { generation: number; until: number; failure: TokenDead } | null = null

  const hold = (token: Token) => {
    if (held && held.generation >= token.generation) return held
    held = token
    if (dead && dead.generation < token.generation) dead = null
    renewAt = renewalTime(token.token, now())
    return token
  }

  const load = async () => {
    const stored = await vault.read()
    if (!stored) throw new TokenDead(['no_token'])
    return hold(stored)
  }

  /** Only our own renewals count: other workers may use up each token before our turn, and that proves nothing. */
  const renewHere = (current: Token) => {
    fruitless = { renewals: fruitless.renewals + 1, at: now().getTime() }
    return refresh(current)
  }

  /** A refused refresh is remembered for a while, so that a lane full of work does not ask again for each row. */
  const exchange = async (seen: number) => {
    try {
      return hold(await vault.exchange(seen, renewHere))
    } catch (failure) {
      held = null
      if (failure instanceof TokenDead) dead = { generation: seen, until: now().getTime() + deadForMs, failure }
      throw failure
    }
  }

  const renew = async (seen: number) => {
    if (held && held.generation > seen) return held
    if (dead?.generation === seen && now().getTime() < dead.until) throw dead.failure
    if (renewing?.from !== seen) {
      const next = exchange(seen).finally(() => {
        if (renewing?.next === next) renewing = null
      })
      renewing = { from: seen, next }
    }
    return renewing.next
  }

  /** Tried once per token: if it fails, the old token serves until it is refused. */
  const renewAhead = (token: Token) => {
    const keepServing = (failure: unknown) => {
      if (!(failure instanceof CallFailure)) throw failure
      if (isDead(token)) dead = null
      const serving = hold(token)
      renewAt = Number.POSITIVE_INFINITY
      return serving
    }
    ahead ??= renew(token.generation)
      .catch(keepServing)
      .finally(() => {
        ahead = null
      })
    return ahead
  }

  const isDead = ({ generation }: Token) => dead?.generation === generation && now().getTime() < dead.until

  return {
    /** The token to call with, unless it must be loaded or renewed first. */
    atHand: () => (held && !renewing && !isDead(held) && now().getTime() < renewAt ? held : null),
    /** The token to call with; renewed before it expires where its expiry is known. */
    async current(): Promise<Token> {
      if (ahead ?? renewing) return ahead ?? renewing!.next
      const token = held ?? (await load())
      if (!isDead(token)) return now().getTime() >= renewAt ? renewAhead(token) : token
      held = null
      throw dead?.failure
    },
    /** The token after the refused one; however many callers ask, one refresh is made. */
    renew,
    /** Records that the registry accepted the token in a call that was started at `begunAt`. */
    accepted({ generation }: Token, begunAt: Date): void {
      if (!provenAt || begunAt > provenAt) provenAt = begunAt
      if (generation <= lastAccepted) return
      lastAccepted = generation
      fruitless = { renewals: 0, at: 0 }
    },
    /** When the last accepted call was started: a hold for the token that is older than this no longer applies. */
    provenAt: () => provenAt,
    now,
    /** False for a while after we renewed several tokens in a row and none of them was accepted. */
    isWorthRenewing: () => fruitless.renewals < maxFruitless || now().getTime() - fruitless.at >= deadForMs,
  }
}

const maxFruitless = 3
const deadForMs = 30_000

/**
 * When a token should be renewed: a minute before it expires, or earlier if it is short-lived; never if its expiry is
 * unknown. If a token seems expired when it is first seen, our clock may be wrong: the registry's 401 decides then.
 */
const renewalTime = (token: string, now: Date): number => {
  const { exp, iat } = claimsOf(token)
  if (typeof exp !== 'number') return Number.POSITIVE_INFINITY
  const begin = typeof iat === 'number' ? iat * 1000 : now.getTime()
  const at = exp * 1000 - Math.min(60_000, Math.max(0, exp * 1000 - begin) / 4)
  return at > now.getTime() ? at : Number.POSITIVE_INFINITY
}

const claimsOf = (token: string): { exp?: unknown; iat?: unknown } => {
  const [, payload, signature] = token.split('.')
  if (!payload || signature === undefined) return {}
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) ?? {}
  } catch {
    return {}
  }
}

/** One attempt, which takes its token when its turn has come; null where no token was available. */
type Attempt<T> = (take: () => Token | null) => Promise<T | null>

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
const obtained = (endpoint: string, token: Promise<Token>): Promise<Token> =>
  token.catch((failure) => {
    if (failure instanceof TokenDead || failure instanceof Outage) throw failure
    throw new NotSent(endpoint, ['no_renewal', failure instanceof CallFailure ? failure.reason : ['vault_silent']])
  })

/** Any refusal of a refresh means that the token is dead. No answer does not: the refresh may be repeated. */
export function asRefusedRefresh(failure: unknown): never {
  if (!(failure instanceof RefusedCall || failure instanceof TokenDead)) throw failure
  throw new TokenDead(['refresh_refused', 'POST /v1/refreshtoken'])
}
