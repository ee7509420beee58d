import { CallFailure } from '../domain/call-failure.ts'
import { NotSent, Outage, Unanswered } from './errors.ts'

export type OutageSettings = {
  /** Failures in a row that make an outage. */
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
  run<T>(endpoint: string, attempt: Attempt<T>, isAlone?: boolean): Promise<T>
}

/** One per kind, and per operation that has none, so that an outage of one does not stop the others. */
export const createBreakers = (settings: OutageSettings): ((what: string) => Breaker) => {
  const breakers = new Map<string, Breaker>()
  return (what) => breakers.get(what) ?? breakers.set(what, createBreaker(settings)).get(what)!
}

const createBreaker = (settings: OutageSettings): Breaker => {
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
    async run(endpoint, attempt, isAlone = false) {
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
