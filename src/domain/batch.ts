/** What people see of a batch: pausing is a state to them. */
export const shownStates = ['importing', 'unconfirmed', 'running', 'paused', 'done', 'cancelled', 'rejected'] as const
export type ShownState = (typeof shownStates)[number]
export type BatchState = Exclude<ShownState, 'paused'>

export const batchSources = ['cli', 'inbox', 'page', 'sweep'] as const
export type BatchSource = (typeof batchSources)[number]
