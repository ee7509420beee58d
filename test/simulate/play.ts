import type { Plan } from './plan/plan.ts'
import type { Outcome } from './run/history.ts'
import { substituteOutside } from './substitutes.ts'
import { installVirtualChance, installVirtualClock } from './time/virtual-clock.ts'

export type Play = (plan: Plan, records?: boolean) => Outcome

/**
 * Loads the code under test with its surroundings replaced, and gives what runs a history. Nothing of it may be loaded
 * before.
 */
export const loadPlay = async (): Promise<Play> => {
  substituteOutside()
  installVirtualChance()
  const { runHistory } = await import('./run/history.ts')
  installVirtualClock()
  return runHistory
}

/** Histories run promises of their own, so they may not run inside of one. */
export const outsidePromises = <T>(work: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    })
  })
