import { CallFailure } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'
import type { Account } from '../domain/lookup.ts'
import { type Backoff, withRetries } from './backoff.ts'
import type { Bound } from './bound.ts'
import type { OutageSettings } from './breaker.ts'
import { type Call, type CallOptions, endpointOf, type Inquiry } from './call.ts'
import { activities } from './endpoints/activities.ts'
import { analyses } from './endpoints/analyses.ts'
import { cnh } from './endpoints/cnh.ts'
import { processes } from './endpoints/processes.ts'
import { type RadarSort, radars } from './endpoints/radars.ts'
import { type ScrPlanId, scr } from './endpoints/scr.ts'
import { type Credentials, token } from './endpoints/token.ts'
import { AccessDenied, PlanBlocked } from './errors.ts'
import { readReply } from './read-reply.ts'
import type { Registry } from './registry.ts'
import { createTokenKeeper, type Token, type TokenVault } from './token-keeper.ts'
import { createTransport } from './transport.ts'
import { createTurnstile, type Observe } from './turnstile.ts'
import { asRefusedRefresh, withToken } from './with-token.ts'

/** Times in milliseconds. */
type RequestSettings = { timeout: number; retries: number; maxBodyBytes: number }

export type RegistryOptions = {
  url: string
  credentials: Credentials
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

export const createRegistry = (options: RegistryOptions): Registry => {
  const { bound, request, forKind = {}, now = () => new Date(), observe = () => {} } = options
  const { outage = defaultOutage, backoff = defaultBackoff, connections = Math.max(1, bound.ceiling) } = options
  const requestOf = (kind: Kind | undefined) => (kind && forKind[kind]?.request) ?? request
  const limitsOf = ({ kind, list }: Inquiry<unknown>) => {
    const limits = requestOf(kind)
    return list ? { ...limits, maxBodyBytes: limits.maxBodyBytes * listFactor } : limits
  }
  const transport = createTransport({
    url: options.url,
    connections,
    now,
    refreshToken: options.credentials.refreshToken,
  })
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

  /** The refresh is called with the token that may have expired, so it never renews it. (Interface 5.2) */
  const refresh = (bearer: Token) => {
    const call = (<Reply>(question: Inquiry<Reply>) =>
      repeat(question, {}, () => attempt(question, () => bearer, {}))) as Call
    return token(call, options.credentials).refresh().catch(asRefusedRefresh)
  }
  const tokens = createTokenKeeper({ vault: options.vault, refresh, now })

  const call: Call = (question, options = {}) =>
    repeat(question, options, () => withToken(endpointOf(question), tokens, (take) => attempt(question, take, options)))

  const renewNow = async () => {
    const { generation } = await tokens.current()
    return tokens.renew(generation)
  }

  return {
    analyses: analyses(call),
    activities: activities(call),
    cnh: cnh(call),
    processes: processes(call),
    radars: radars(call, { sort: options.radarSort }),
    scr: scr(call, { planId: options.scrPlanId }),
    token: {
      refresh: async () => ({ generation: (await renewNow()).generation }),
      provenAt: tokens.provenAt,
      works: (account, options) => tokenWorks(call, account, options),
    },
    turnstile,
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
