import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhenResult,
} from 'cockatiel'
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
  /**
   * Makes the attempt, or fails with an Outage at once. While an outage is tried, one attempt goes and others wait. An attempt
   * that `isAlone` goes in any case: its failure is no sign of an outage, its answer ends one.
   */
  run<T>(endpoint: string, attempt: () => Promise<T | CallFailure>, isAlone?: boolean): Promise<T>
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
  const breaker = new ConsecutiveBreaker(after)
  const policy = circuitBreaker(handleWhenResult(isSignOfOutage), { breaker, halfOpenAfter: wait })

  const endOutage = (): void => {
    breaker.success()
    // cockatiel closes a circuit by hand only when somebody lets go of it.
    if (policy.state !== CircuitState.Closed) policy.isolate().dispose()
  }

  const makeAlone = async <T>(attempt: () => Promise<T | CallFailure>): Promise<T | CallFailure> => {
    const outcome = await attempt()
    if (!isSignOfOutage(outcome)) endOutage()
    return outcome
  }

  return {
    async run(endpoint, attempt, isAlone = false) {
      try {
        const outcome = await (isAlone ? makeAlone(attempt) : policy.execute(attempt))
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
