/** What people see of a batch: pausing is a state to them. */
export const shownStates = ['importing', 'unconfirmed', 'running', 'paused', 'done', 'cancelled', 'rejected'] as const
export type ShownState = (typeof shownStates)[number]
export type BatchState = Exclude<ShownState, 'paused'>

/** What people are told of a batch: one that a held lane stops does not run. */
export const toldStates = [...shownStates, 'held'] as const
export type ToldState = (typeof toldStates)[number]

export const batchSources = ['cli', 'inbox', 'page', 'sweep', 'portfolio'] as const
export type BatchSource = (typeof batchSources)[number]

/** What a report may be written as. The CSV is always there, for machines; `xlsx` puts a workbook beside it. */
export const reportFormats = ['csv', 'xlsx'] as const
export type ReportFormat = (typeof reportFormats)[number]

export const isReportFormat = (text: string | undefined): text is ReportFormat =>
  reportFormats.includes(text as ReportFormat)
