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
  /** This many failures in a row are an outage. */
  after: number
  /** The wait before the first trial; each failed trial doubles it, up to `lastTrialMs`. */
  firstTrialMs: number
  lastTrialMs: number
}

type Breaker = {
  /**
   * Runs the attempt, or fails with an Outage at once. During an outage one attempt is sent as a trial and the others wait.
   * An attempt with `isAlone` is always sent: its failure is no sign of an outage, and its answer ends one.
   */
  run<T>(endpoint: string, attempt: () => Promise<T | CallFailure>, isAlone?: boolean): Promise<T>
}

/** One breaker per kind, and per operation that has no kind, so that an outage of one does not stop the others. */
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
    // cockatiel closes an isolated circuit only when its handle is disposed.
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

/** A refusal is an answer, so it shows that the registry is up. */
const isSignOfOutage = (outcome: unknown) => outcome instanceof Unanswered || outcome instanceof NotSent
