import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { CallFailure } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'
import type { Account } from '../domain/lookup.ts'
import type { Bound } from './bound.ts'
import { type Call, type CallOptions, endpointOf, type Inquiry } from './call.ts'
import { activities } from './endpoints/activities.ts'
import { analyses } from './endpoints/analyses.ts'
import { cnh } from './endpoints/cnh.ts'
import { processes } from './endpoints/processes.ts'
import { type RadarSort, radars } from './endpoints/radars.ts'
import { type ScrPlanId, scr } from './endpoints/scr.ts'
import { AccessDenied, NotSent, Outage, PlanBlocked, TooManyRequests, Unanswered } from './errors.ts'
import { readReply } from './read-reply.ts'
import { asRefusedRefresh, createTokenKeeper, type Token, type TokenVault, withToken } from './token-keeper.ts'
import { createTransport } from './transport.ts'
import { createTurnstile, type Observe, type OutageSettings } from './turnstile.ts'

/** Times in milliseconds. */
type RequestSettings = { timeout: number; retries: number; maxBodyBytes: number }

export type RegistryOptions = {
  url: string
  credentials: { email: string; username: string; refreshToken: string }
  vault: TokenVault
  bound: Bound
  /** The highest ceiling that the bound will have; the present one where left out. */
  connections?: number
  request: RequestSettings
  forKind?: Partial<Record<Kind, { request: RequestSettings }>>
  radarSort?: RadarSort | null
  scrPlanId?: ScrPlanId | null
  outage?: OutageSettings
  backoff?: Backoff
  now?: () => Date
  /** Called for every request that was sent. */
  observe?: Observe
}

/** The registry as the rest of the code sees it: all 12 operations, in the terms of `src/domain`. */
export type Registry = ReturnType<typeof createRegistry>

export const createRegistry = (options: RegistryOptions) => {
  const { bound, request, forKind = {}, now = () => new Date(), observe = () => {} } = options
  const { outage = defaultOutage, backoff = defaultBackoff, connections = Math.max(1, bound.ceiling) } = options
  const requestOf = (kind: Kind | undefined) => (kind && forKind[kind]?.request) ?? request
  const limitsOf = ({ kind, list }: Inquiry<unknown>) => {
    const limits = requestOf(kind)
    return list ? { ...limits, maxBodyBytes: limits.maxBodyBytes * listFactor } : limits
  }
  const { refreshToken } = options.credentials
  const transport = createTransport({ url: options.url, connections, now, refreshToken })
  const turnstile = createTurnstile({ bound, outage, observe })

  /** Sends one request once and reads its answer. */
  const attempt = <Reply>(question: Inquiry<Reply>, take: () => Token | null, options: CallOptions) =>
    turnstile.pass<Reply>({ ...options, endpoint: endpointOf(question), kind: question.kind }, () => {
      const token = take()
      return token && (() => exchange(question, token.token, options.signal))
    })

  const exchange = async <Reply>(question: Inquiry<Reply>, bearer: string, signal?: AbortSignal) => {
    const answer = await transport.send(question, bearer, limitsOf(question), signal)
    return answer instanceof CallFailure ? answer : readReply(question, answer)
  }

  const repeat = <T>(question: Inquiry<unknown>, options: CallOptions, once: () => Promise<T>) => {
    const { signal, isTooLate, latch } = options
    const isLast = () => latch?.isTrial === true || isTooLate?.() === true
    const { retries } = requestOf(question.kind)
    return withRetries(once, { retries, spends: question.spends === true, signal, isLast }, backoff)
  }

  /** A new access token for one that may have expired and is still the bearer: it is never renewed here. (Interface 4.12) */
  const refresh = async (bearer: Token): Promise<string> => {
    const { email, username } = options.credentials
    const body = { email, username, refreshToken }
    const question = { method: 'POST', path: '/v1/refreshtoken', body, reply: refreshed, renews: true } as const
    const reply = await repeat(question, {}, () => attempt(question, () => bearer, {})).catch(asRefusedRefresh)
    return reply!.token
  }
  const tokens = createTokenKeeper({ vault: options.vault, refresh, now })

  const call: Call = (question, options = {}) =>
    repeat(question, options, () => withToken(endpointOf(question), tokens, (take) => attempt(question, take, options)))

  return {
    analyses: analyses(call),
    activities: activities(call),
    cnh: cnh(call),
    processes: processes(call),
    radars: radars(call, { sort: options.radarSort }),
    scr: scr(call, { planId: options.scrPlanId }),
    token: {
      /** Renews the token now, for all workers; calls do so by themselves when they need it. (Interface 4.12) */
      async refresh(): Promise<{ generation: number }> {
        const { generation } = await tokens.current()
        return { generation: (await tokens.renew(generation)).generation }
      },
      /** When the last call was started whose token the registry accepted; null where none was yet. */
      provenAt: tokens.provenAt,
      /** Checks with one free call that the registry accepts the token, renewed if necessary. */
      works: (account: Account, options?: CallOptions) => tokenWorks(call, account, options),
    },
    /** The only way to the registry; the ceiling of its bound is this process's share of the fleet. */
    turnstile,
    /** Waits for the calls in flight, then closes the connections. */
    close: transport.close,
  }
}

/** A refusal of the plan or the organization also proves the token: the registry has accepted the caller. */
const tokenWorks = async (call: Call, account: Account, options?: CallOptions): Promise<boolean> => {
  const answer = await radars(call)
    .list(account, options)
    .catch((failure) => failure)
  return answer instanceof PlanBlocked || answer instanceof AccessDenied || !(answer instanceof Error)
}

/** Lists are taken item by item, so only time limits them: well over a million analyses at the default limit. */
const listFactor = 256

const defaultOutage: OutageSettings = { after: 8, firstTrialMs: 1_000, lastTrialMs: 30_000 }
const defaultBackoff: Backoff = { firstMs: 250, maxMs: 15_000, random: Math.random }

const refreshed = z.looseObject({ token: z.string().regex(/^[\x21-\x7e]+$/) })

type Backoff = { firstMs: number; maxMs: number; random: () => number }

type Course = { retries: number; spends: boolean; signal?: AbortSignal; isLast: () => boolean }

/**
 * Repeats the attempt where that is safe. Waits grow exponentially up to a cap, with full jitter, or follow the registry's
 * `Retry-After`. The wait ends at once when the worker stops.
 */
const withRetries = async <T>(attempt: () => Promise<T>, course: Course, backoff: Backoff): Promise<T> => {
  let sent: unknown
  for (let retry = 0; ; retry++) {
    try {
      return await attempt()
    } catch (latest) {
      // If the next attempt is kept back by an outage, the failure of the attempt that was sent still counts.
      const failure = latest instanceof Outage && sent ? sent : latest
      if (failure === sent) throw failure
      sent = failure
      const wait =
        retry < course.retries && mayRepeat(failure, course.spends) && !course.isLast()
          ? waitBefore(retry, failure, backoff)
          : null
      if (wait === null || wait > backoff.maxMs) throw failure
      await sleep(wait, undefined, { signal: course.signal }).catch(() => Promise.reject(failure))
    }
  }
}

/** A spending call is sent once: it is repeated only if it surely never left. The caller judges refusals. */
const mayRepeat = (failure: unknown, spends: boolean): failure is NotSent | Unanswered | TooManyRequests => {
  if (failure instanceof NotSent) return !failure.keptBack
  return !spends && (failure instanceof Unanswered || failure instanceof TooManyRequests)
}

const waitBefore = (retry: number, failure: { retryAfterMs?: number }, { firstMs, maxMs, random }: Backoff): number =>
  failure.retryAfterMs ?? random() * Math.min(maxMs, firstMs * 2 ** retry)
