import { CallFailure } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'
import type { Message } from '../messages/message.ts'
import { createAdmission } from './admission.ts'
import type { Bound } from './bound.ts'
import type { CallOptions } from './call.ts'
import { NotSent, Outage, TokenDead, TooManyRequests, Unanswered } from './errors.ts'

type Way = CallOptions & { endpoint: string; kind: Kind | undefined }
type Send<Reply> = () => Promise<Reply | CallFailure>

/** How one request went: its operation as a template such as `GET /v1/scr/indicators/{document}`, never a document. */
export type Observe = (exchange: { operation: string; outcome: string; seconds: number }) => void

type Options = { bound: Bound; outage: OutageSettings; observe: Observe }

/**
 * The only way to the registry. A call follows five rules, in this order:
 *
 * 1. Its look-up is admitted. Twice as many are admitted as may be open, so that one is always ready to be sent.
 * 2. It waits for a place of the bound: this process's share of the fleet, halved by a 429.
 * 3. It takes the token that is available at that moment. If there is none, it gives its place up until there is one.
 * 4. While its kind has an outage, it fails at once. One call at a time, and the trial of a held lane, tries whether the
 *    outage is over.
 * 5. Right before it is sent, it checks the clock and the latch of its lane. It is not sent if it is too late, or if an
 *    answer has held the lane. The latch receives every answer.
 */
export const createTurnstile = ({ bound, outage, observe }: Options) => {
  const breakerOf = createBreakers(outage)

  const send = async <Reply>(way: Way, request: Send<Reply>): Promise<Reply | CallFailure> => {
    if (way.isTooLate?.()) throw keptBack(way, ['turn_late'])
    if (way.latch?.isClosed) throw keptBack(way, ['lane_held'])
    const began = performance.now()
    const reply = await request()
    observe({ operation: way.endpoint, outcome: outcomeLabel(reply), seconds: (performance.now() - began) / 1000 })
    // What we aborted ourselves is no sign of an outage.
    if (reply instanceof CallFailure && way.signal?.aborted) throw reply
    if (!passesSoon(reply)) way.latch?.hear(way.endpoint, reply instanceof CallFailure ? reply : null)
    return reply
  }

  return {
    bound,
    ...createAdmission(bound),
    /** Null where no token was available: nothing was sent. */
    pass<Reply>(way: Way, leave: () => Send<Reply> | null): Promise<Reply | null> {
      const inPlace = (): Promise<Reply | null> => {
        const request = leave()
        return request
          ? breakerOf(way.kind ?? way.endpoint).run(way.endpoint, () => send(way, request), isAlone(way))
          : Promise.resolve(null)
      }
      return bound.run(inPlace, way.signal)
    },
  }
}

const isAlone = ({ latch }: Way): boolean => latch !== undefined && (latch.isTrial || latch.failsAlone)

const keptBack = ({ endpoint }: Way, why: Message): NotSent => new NotSent(endpoint, why, { keptBack: true })

/** These answers are not about the lane: a 429 passes with fewer calls, a 401 with a new token. */
const passesSoon = (reply: unknown): boolean => reply instanceof TooManyRequests || reply instanceof TokenDead

/** `ok`, or the name of the failure in the form that metrics use: `too_many_requests`. */
const outcomeLabel = (outcome: unknown): string =>
  outcome instanceof Error ? outcome.name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase() : 'ok'

export type OutageSettings = {
  /** Failures in a row that make an outage. */
  after: number
  /** The first trial comes so soon; each one that fails doubles the wait, up to the last. */
  firstTrialMs: number
  lastTrialMs: number
}

type Breaker = ReturnType<typeof createBreaker>

/** One per kind, and per operation that has none, so that an outage of one does not stop the others. */
export const createBreakers = (settings: OutageSettings): ((what: string) => Breaker) => {
  const breakers = new Map<string, Breaker>()
  return (what) => breakers.get(what) ?? breakers.set(what, createBreaker(settings)).get(what)!
}

const createBreaker = (settings: OutageSettings) => {
  let failures = 0
  let outage: Failed | null = null
  let trial: Promise<unknown> | null = null

  const record = (isFailure: boolean): void => {
    failures = isFailure ? failures + 1 : 0
    if (isFailure && failures >= settings.after) outage ??= failedTrial(settings, 0)
  }

  const endOutage = (): void => {
    failures = 0
    outage = null
  }

  const makeAlone = async <T>(attempt: Attempt<T>): Promise<T | CallFailure> => {
    const outcome = await attempt()
    if (!isSignOfOutage(outcome)) endOutage()
    return outcome
  }

  /** A trial that throws was kept back by ourselves: it says nothing, and the next attempt tries again. */
  const makeTrial = async <T>(attempt: Attempt<T>, { trials }: Failed): Promise<T | CallFailure> => {
    const outcome = await attempt()
    if (isSignOfOutage(outcome)) outage = failedTrial(settings, trials + 1)
    else endOutage()
    return outcome
  }

  const make = async <T>(endpoint: string, attempt: Attempt<T>): Promise<T | CallFailure> => {
    while (outage && trial) await trial
    if (!outage) {
      const outcome = await attempt()
      record(isSignOfOutage(outcome))
      return outcome
    }
    const left = outage.trialAt - performance.now()
    if (left > 0) throw new Outage(endpoint, left)
    const made = makeTrial(attempt, outage)
    trial = made
      .catch(() => {})
      .finally(() => {
        trial = null
      })
    return made
  }

  return {
    /**
     * Makes the attempt, or fails with an Outage at once. While an outage is tried, one attempt goes and others wait. An attempt
     * that `isAlone` goes in any case: its failure is no sign of an outage, its answer ends one.
     */
    async run<T>(endpoint: string, attempt: Attempt<T>, isAlone = false): Promise<T> {
      const outcome = await (isAlone ? makeAlone(attempt) : make(endpoint, attempt))
      if (outcome instanceof CallFailure) throw outcome
      return outcome
    },
  }
}

type Attempt<T> = () => Promise<T | CallFailure>
type Failed = { trials: number; trialAt: number }

const failedTrial = ({ firstTrialMs, lastTrialMs }: OutageSettings, trials: number): Failed => ({
  trials,
  trialAt: performance.now() + Math.min(lastTrialMs, firstTrialMs * 2 ** trials),
})

/** A refusal is an answer: it shows that the registry is there. */
const isSignOfOutage = (outcome: unknown): boolean => outcome instanceof Unanswered || outcome instanceof NotSent
