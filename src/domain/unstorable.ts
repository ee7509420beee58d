import type { Step } from './advance.ts'

/**
 * What becomes of a look-up whose next step the database refuses to hold.
 *
 * It ends, so that nothing asks for the same answer for ever. Where the step told of a purchase just made, nobody can
 * say any more which one it was: that is for a person.
 */
export const unstorable = (step: Step, reason: string): Step => ({
  ...step,
  ...(step.from === 'sending'
    ? { to: 'unknown_outcome', charged: 'unknown', remote: null }
    : { to: 'failed', charged: step.charged }),
  dueAt: null,
  seen: null,
  detail: reason,
  answer: null,
  asOf: null,
  story: `failed: ${reason}`,
})
