import type { Step } from '../domain/advance.ts'
import type { Message } from '../domain/messages/message.ts'
import type { Engine, StepQueue, Written } from './engine.ts'
import { finishTouched, settle } from './settle.ts'

export const createStepQueue = (): StepQueue => ({
  waiting: [],
  isWriting: false,
  isHurried: false,
  stopWaiting: () => {},
  turnMs: 0,
  touched: new Set(),
})

/** A turn was answered after so long. */
export const recordTurn = (steps: StepQueue, ms: number): void => {
  steps.turnMs += (ms - steps.turnMs) / 16
}

/** How much company is enough, and how large a group may be. */
const enough = 64
const most = 500

/** Hands over the steps of one chunk. */
export const createStepWriter = <Tools>(engine: Engine<Tools>) => {
  const { steps } = engine
  let coming = 0
  let open = 0
  let isFed = false
  let failure: unknown
  const ended = Promise.withResolvers<void>()

  const done = (problem?: unknown): void => {
    open--
    failure ??= problem
    if (open === 0 && coming === 0 && isFed) ended.resolve()
  }

  return {
    /** So many turns have begun; each adds a step. */
    expect(turns: number): void {
      coming += turns
    },

    /** Ends when it is written, or could not be. */
    add(step: Step, sentAt: Date | null): Promise<void> {
      const written = Promise.withResolvers<void>()
      coming--
      open++
      steps.waiting.push({
        step,
        sentAt,
        done(problem) {
          written.resolve()
          done(problem)
        },
      })
      if (steps.waiting.length >= enough || (isFed && coming === 0)) hurry(steps)
      if (!steps.isWriting) void writeGroups(engine)
      return written.promise
    },

    /** No more turns will begin: waits until everything is written. A write that failed fails the chunk; its look-ups keep the state they had. */
    async end(): Promise<void> {
      isFed = true
      if (coming === 0) hurry(steps)
      if (coming > 0 || open > 0) await ended.promise
      await finishWritten(engine)
      if (failure) throw failure
    },
  }
}

const hurry = (steps: StepQueue): void => {
  steps.isHurried = steps.waiting.length > 0
  steps.stopWaiting()
}

/** The last row of a batch ends with some job, so that nobody need look after every group. */
const finishWritten = <Tools>(engine: Engine<Tools>): Promise<void> => {
  const touched = [...engine.steps.touched]
  engine.steps.touched.clear()
  return finishTouched(engine, touched)
}

/** While one group is written, the next collects. */
const writeGroups = async <Tools>(engine: Engine<Tools>): Promise<void> => {
  const { steps } = engine
  steps.isWriting = true
  while (steps.waiting.length > 0) {
    await awaitMore(steps)
    steps.isHurried = false
    await writeGroup(engine, steps.waiting.splice(0, most))
  }
  steps.isWriting = false
}

/**
 * Waits for more steps, for a quarter of a turn and until there are enough: on a slow registry they come one by one. What
 * waits may keep its place meanwhile, and the places of the others must do for the calls.
 */
const awaitMore = (steps: StepQueue): Promise<void> =>
  new Promise((resolve) => {
    if (steps.isHurried) return resolve()
    steps.stopWaiting = () => {
      clearTimeout(timer)
      steps.stopWaiting = () => {}
      resolve()
    }
    const timer = setTimeout(steps.stopWaiting, Math.min(250, Math.max(25, steps.turnMs / 4)))
  })

/**
 * A group that PostgreSQL refuses is written in halves, down to the one look-up that is to blame: that one fails with
 * the reason, and its neighbours keep what they paid for.
 */
const writeGroup = async <Tools>(engine: Engine<Tools>, group: Written[]): Promise<void> => {
  try {
    for (const batchId of await settle(engine, group)) engine.steps.touched.add(batchId)
    for (const { done } of group) done()
  } catch (failure) {
    const [only] = group
    if (group.length > 1 && isAboutContent(failure)) {
      const half = Math.ceil(group.length / 2)
      await writeGroup(engine, group.slice(0, half))
      await writeGroup(engine, group.slice(half))
    } else if (only && isUnstorable(failure) && !only.isSecondTry) {
      engine.log.error({ lookup: String(only.step.id), code: codeOf(failure) }, 'step could not be stored')
      const step = unstorable(only.step, ['unstorable', codeOf(failure)])
      await writeGroup(engine, [{ ...only, step, isSecondTry: true }])
    } else for (const { done } of group) done(failure)
  }
}

const codeOf = (failure: unknown): string => (failure as { code?: string }).code ?? ''

/** Data, integrity and limits: the same step is refused for ever. Among several, a lock that went wrong (40) too is tried apart. */
const isUnstorable = (failure: unknown): boolean => /^(22|23|54)...$/.test(codeOf(failure))
const isAboutContent = (failure: unknown): boolean => isUnstorable(failure) || /^40...$/.test(codeOf(failure))

/**
 * What becomes of a look-up whose next step the database refuses to hold.
 *
 * It ends, so that nothing asks for the same answer for ever. Where the step told of a purchase just made, nobody can
 * say any more which one it was: that is for a person.
 */
const unstorable = (step: Step, reason: Message): Step => ({
  ...step,
  ...(step.from === 'sending'
    ? { to: 'unknown_outcome', charged: 'unknown', remote: null }
    : { to: 'failed', charged: step.charged }),
  dueAt: null,
  seen: null,
  detail: reason,
  answer: null,
  asOf: null,
  history: ['ended', 'failed', reason],
})
