/** What people see of a batch: pausing is a state to them. */
export const shownStates = ['importing', 'unconfirmed', 'running', 'paused', 'done', 'cancelled', 'rejected'] as const
export type ShownState = (typeof shownStates)[number]
export type BatchState = Exclude<ShownState, 'paused'>

/** What people are told of a batch: one that a held lane stops does not run. */
export const reportedStates = [...shownStates, 'held'] as const
export type ReportedState = (typeof reportedStates)[number]

export type SteeringVerb = 'confirm' | 'pause' | 'resume' | 'cancel' | 'retry'

/** When a batch takes a word: in which of its own states, and whether only while it is paused; null: paused or not. */
type WhenTaken = { states: readonly BatchState[]; whilePaused: boolean | null }

const unended = ['importing', 'unconfirmed', 'running'] as const

/** Pausing stands apart from the states: a paused batch is confirmed and retried as any other, and stays paused. */
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

/** What a report may be written as. The CSV is always there, for machines; `xlsx` puts a workbook beside it. */
export const reportFormats = ['csv', 'xlsx'] as const
export type ReportFormat = (typeof reportFormats)[number]

export const isReportFormat = (text: string | undefined): text is ReportFormat =>
  reportFormats.includes(text as ReportFormat)

/** How a report is encoded: as the file came in, or as everybody reads it. */
export const reportEncodings = ['same', 'utf8'] as const
export type ReportEncoding = (typeof reportEncodings)[number]

export const isReportEncoding = (text: string | undefined): text is ReportEncoding =>
  reportEncodings.includes(text as ReportEncoding)
