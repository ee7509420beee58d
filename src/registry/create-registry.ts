import { CallFailure } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'
import { type Backoff, withRetries } from './backoff.ts'
import type { Bound } from './bound.ts'
import { createBreakers, type OutageSettings } from './breaker.ts'
import { type Call, type CallOptions, endpointOf, type Question } from './call.ts'
import { activities } from './endpoints/activities.ts'
import { analyses } from './endpoints/analyses.ts'
import { cnh } from './endpoints/cnh.ts'
import { processes } from './endpoints/processes.ts'
import { type RadarSort, radars } from './endpoints/radars.ts'
import { type ScrPlanId, scr } from './endpoints/scr.ts'
import { type Credentials, token } from './endpoints/token.ts'
import { NotSent } from './errors/not-sent.ts'
import { readReply } from './read-reply.ts'
import { asRefusedRefresh } from './refused-refresh.ts'
import type { Registry } from './registry.ts'
import { createTokenKeeper, type TokenVault } from './token-keeper.ts'
import { createTransport } from './transport.ts'
import { withToken } from './with-token.ts'

/** Times in milliseconds. */
export type RequestSettings = { timeout: number; retries: number; maxBodyBytes: number }

export type RegistryOptions = {
  url: string
  credentials: Credentials
  vault: TokenVault
  bound: Bound
  /** The highest ceiling that the bound will have; its present one where left out. */
  connections?: number
  request: RequestSettings
  forKind?: Partial<Record<Kind, { request: RequestSettings }>>
  radarSort?: RadarSort | null
  scrPlanId?: ScrPlanId | null
  outage?: OutageSettings
  backoff?: Backoff
  now?: () => Date
}

export function createRegistry(options: RegistryOptions): Registry {
  const { bound, request, forKind = {}, now = () => new Date() } = options
  const { outage = defaultOutage, backoff = defaultBackoff, connections = Math.max(1, bound.ceiling) } = options
  const requestOf = (kind: Kind | undefined) => (kind && forKind[kind]?.request) ?? request
  const maxBodyBytes = Math.max(request.maxBodyBytes, ...Object.values(forKind).map((of) => of.request.maxBodyBytes))
  const transport = createTransport({ url: options.url, connections, maxBodyBytes, now })
  const breakerOf = createBreakers(outage)

  /** One request: under the bound, behind the breaker, sent once, and its answer read. */
  const attempt = <Reply>(question: Question<Reply>, bearer: string, options: CallOptions = {}): Promise<Reply> => {
    const limits = requestOf(question.kind)
    const { signal, sendBefore } = options
    const exchange = async () => {
      if (sendBefore && now() > sendBefore) throw new NotSent(endpointOf(question), 'its turn came too late')
      const answer = await transport.send(question, bearer, limits, signal)
      if (!(answer instanceof CallFailure)) return readReply(question, answer)
      if (signal?.aborted) throw answer
      return answer
    }
    return bound.run(() => breakerOf(question.kind).run(endpointOf(question), exchange), signal)
  }

  const repeat = <T>(question: Question<unknown>, signal: AbortSignal | undefined, once: () => Promise<T>) =>
    withRetries(once, { retries: requestOf(question.kind).retries, spends: question.spends === true, signal }, backoff)

  /** The refresh is called with the very token that may be over, so it never renews it. (Interface 5.2) */
  const refresh = (bearer: string) => {
    const call: Call = (question) => repeat(question, undefined, () => attempt(question, bearer))
    return token(call, options.credentials).refresh().catch(asRefusedRefresh)
  }
  const tokens = createTokenKeeper({ vault: options.vault, refresh, now })

  const call: Call = (question, options = {}) =>
    repeat(question, options.signal, () =>
      withToken(endpointOf(question), tokens, (bearer) => attempt(question, bearer, options)),
    )

  return {
    analyses: analyses(call),
    activities: activities(call),
    cnh: cnh(call),
    processes: processes(call),
    radars: radars(call, { sort: options.radarSort }),
    scr: scr(call, { planId: options.scrPlanId }),
    token: { refresh: async () => ({ generation: (await renewNow()).generation }) },
    bound,
    close: transport.close,
  }

  async function renewNow() {
    const { generation } = await tokens.current()
    return tokens.renew(generation)
  }
}

const defaultOutage: OutageSettings = { after: 8, firstProbeMs: 1_000, lastProbeMs: 30_000 }
const defaultBackoff: Backoff = { firstMs: 250, maxMs: 15_000, random: Math.random }
