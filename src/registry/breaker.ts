import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, DelegateBackoff, handleWhenResult } from 'cockatiel'
import { CallFailure } from '../domain/call-failure.ts'
import { NotSent, Outage, Unanswered } from './errors.ts'

export type OutageSettings = {
  /** So many failures in a row are an outage. */
  after: number
  /** The first trial comes so soon; each one that fails doubles the wait, up to the last. */
  firstTrialMs: number
  lastTrialMs: number
}

type Breaker = {
  /** Makes the attempt, or fails with an Outage at once. While an outage is tried, one attempt goes and others wait. */
  run<T>(endpoint: string, attempt: () => Promise<T | CallFailure>): Promise<T>
}

/** One per kind, and per operation that has none, so that an outage of one does not stop the others. */
export const createBreakers = (settings: OutageSettings): ((what: string) => Breaker) => {
  const breakers = new Map<string, Breaker>()
  return (what) => breakers.get(what) ?? breakers.set(what, createBreaker(settings)).get(what)!
}

const createBreaker = ({ after, firstTrialMs, lastTrialMs }: OutageSettings): Breaker => {
  let trialAt = 0
  const wait = new DelegateBackoff<{ attempt: number }>(({ attempt }) => {
    const delay = Math.min(lastTrialMs, firstTrialMs * 2 ** (attempt - 1))
    trialAt = performance.now() + delay
    return delay
  })
  const policy = circuitBreaker(handleWhenResult(isSignOfOutage), {
    breaker: new ConsecutiveBreaker(after),
    halfOpenAfter: wait,
  })

  return {
    async run(endpoint, attempt) {
      try {
        const outcome = await policy.execute(attempt)
        if (!(outcome instanceof CallFailure)) return outcome
        throw outcome
      } catch (failure) {
        if (!(failure instanceof BrokenCircuitError)) throw failure
        throw new Outage(endpoint, Math.max(0, trialAt - performance.now()))
      }
    },
  }
}

/** A refusal is an answer: it shows that the registry is there. */
const isSignOfOutage = (outcome: unknown) => outcome instanceof Unanswered || outcome instanceof NotSent
