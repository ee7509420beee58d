import type { Step } from '../domain/advance.ts'
import { openStates } from '../domain/lookup.ts'
import type { Message } from '../messages/message.ts'
import type { Engine, StepQueue, Written } from './engine.ts'
import { finishTouched, settle } from './settle.ts'

export const createStepQueue = (): StepQueue => ({
  waiting: [],
  isWriting: false,
  isHurried: false,
  stopWaiting: () => {},
  turnMs: 0,
  touched: new Set(),
  ended: 0,
})

/** Records how long a turn took. */
export const recordTurn = (steps: StepQueue, ms: number): void => {
  steps.turnMs += (ms - steps.turnMs) / 16
}

/** How many steps end the batching delay, and the most that one group may have. */
const enough = 64
const most = 500

/** Collects the steps of one chunk. */
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
    /** Announces turns that have begun; each adds a step. */
    expect(turns: number): void {
      coming += turns
    },

    /** Resolves when the step is written, and rejects if it could not be. */
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

    /** No more turns will begin: waits for all writes. A failed write fails the chunk, and its look-ups keep their state. */
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

/** The last row of a batch ends in some job, so it is enough that each job checks at its end. */
const finishWritten = <Tools>(engine: Engine<Tools>): Promise<void> => {
  const touched = [...engine.steps.touched]
  engine.steps.touched.clear()
  return finishTouched(engine, touched)
}

/** While one group is written, the next is collected. */
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
 * Waits for more steps, for a quarter of a turn at most: on a slow registry they come one by one. Steps that wait may keep
 * their places, because the remaining places are enough for the calls.
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
 * A group that PostgreSQL refuses is written in halves, down to the one look-up at fault. That one fails with the reason,
 * and the others keep what they paid for.
 */
const writeGroup = async <Tools>(engine: Engine<Tools>, group: Written[]): Promise<void> => {
  try {
    for (const batchId of await settle(engine, group)) engine.steps.touched.add(batchId)
    engine.steps.ended += group.filter(({ step }) => hasEnded(step)).length
    for (const { done } of group) done()
  } catch (failure) {
    const [only] = group
    if (group.length > 1 && isAboutContent(failure)) {
      const half = Math.ceil(group.length / 2)
      await writeGroup(engine, group.slice(0, half))
      await writeGroup(engine, group.slice(half))
    } else if (only?.step.before && isUnstorable(failure)) {
      await writeGroup(engine, [{ ...only, step: only.step.before }])
    } else if (only && isUnstorable(failure) && !only.isSecondTry) {
      engine.log.error({ lookup: String(only.step.id), code: codeOf(failure) }, 'step could not be stored')
      const step = unstorable(only.step, ['unstorable', codeOf(failure)])
      await writeGroup(engine, [{ ...only, step, isSecondTry: true }])
    } else for (const { done } of group) done(failure)
  }
}

const hasEnded = ({ to }: Step): boolean => !(openStates as readonly string[]).includes(to)

const codeOf = (failure: unknown): string => (failure as { code?: string }).code ?? ''

/** Errors of data, integrity or limits: the same step would be refused each time. In a group, deadlocks (40) are also split. */
const isUnstorable = (failure: unknown): boolean => /^(22|23|54)...$/.test(codeOf(failure))
const isAboutContent = (failure: unknown): boolean => isUnstorable(failure) || /^40...$/.test(codeOf(failure))

/**
 * The final step of a look-up whose next step the database refuses to store.
 *
 * It ends, so that the same answer is not requested again and again. If the step recorded a purchase, its number is lost
 * and a person has to decide.
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
