/** What people see of a batch: pausing is a state to them. */
export const shownStates = ['importing', 'unconfirmed', 'running', 'paused', 'done', 'cancelled', 'rejected'] as const
export type ShownState = (typeof shownStates)[number]
export type BatchState = Exclude<ShownState, 'paused'>

/** What people are told of a batch: one that a held lane stops does not run. */
export const toldStates = [...shownStates, 'held'] as const
export type ToldState = (typeof toldStates)[number]

/** In which of its own states a batch takes which word. Whether it is paused stands apart from them. */
export const steeredIn = {
  confirm: ['unconfirmed'],
  pause: ['importing', 'unconfirmed', 'running'],
  resume: ['importing', 'unconfirmed', 'running'],
  cancel: ['importing', 'unconfirmed', 'running'],
  retry: ['running', 'done', 'cancelled'],
} as const satisfies Record<string, readonly BatchState[]>
export type SteeringVerb = keyof typeof steeredIn

/** Whether a batch takes a word, by what people are told of it: one that a lane holds runs, and one that is paused goes on or ends. */
export const takesWord = (verb: SteeringVerb, told: ToldState): boolean => {
  if (verb === 'resume') return told === 'paused'
  if (told === 'paused') return verb === 'cancel'
  const states: readonly string[] = steeredIn[verb]
  return states.includes(told === 'held' ? 'running' : told)
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
