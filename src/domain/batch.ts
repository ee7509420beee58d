/** The states of a batch as people see them: paused is one of them. */
export const shownStates = ['importing', 'unconfirmed', 'running', 'paused', 'done', 'cancelled', 'rejected'] as const
export type ShownState = (typeof shownStates)[number]
export type BatchState = Exclude<ShownState, 'paused'>

/** The states that are reported: a batch that is stopped by a held lane is shown as held, not as running. */
export const reportedStates = [...shownStates, 'held'] as const
export type ReportedState = (typeof reportedStates)[number]

export type SteeringVerb = 'confirm' | 'pause' | 'resume' | 'cancel' | 'retry'

/** When a batch accepts an action: in which states, and whether only while it is paused; null: paused or not. */
type WhenTaken = { states: readonly BatchState[]; whilePaused: boolean | null }

const unended = ['importing', 'unconfirmed', 'running'] as const

/** Pausing is independent of the state: a paused batch can be approved and retried like any other, and stays paused. */
export const actionsTaken: Record<SteeringVerb, WhenTaken> = {
  confirm: { states: ['unconfirmed'], whilePaused: null },
  pause: { states: unended, whilePaused: false },
  resume: { states: unended, whilePaused: true },
  cancel: { states: unended, whilePaused: null },
  retry: { states: ['running', 'done', 'cancelled'], whilePaused: null },
}

export const takesAction = (
  verb: SteeringVerb,
  { state, shown }: { state: BatchState; shown: ShownState },
): boolean => {
  const { states, whilePaused } = actionsTaken[verb]
  const isPaused = shown === 'paused'
  return states.includes(state) && isPaused === (whilePaused ?? isPaused)
}

export const batchSources = ['cli', 'inbox', 'page', 'sweep', 'portfolio'] as const
export type BatchSource = (typeof batchSources)[number]

/** The formats of a report. The CSV is always written, for machines; `xlsx` adds a workbook. */
export const reportFormats = ['csv', 'xlsx'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** How a report is encoded: like the input file, or in UTF-8. */
export const reportEncodings = ['same', 'utf8'] as const
export type ReportEncoding = (typeof reportEncodings)[number]
