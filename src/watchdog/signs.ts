/** What the watched thread leaves for the watching one, in memory that both see. */
export type Watched = { signs: Int32Array; stillMs: number; pretty: boolean }

/** Counts on for as long as the event loop turns. */
export const beatAt = 0
/** 1 while a debugger is open: whoever stops at a breakpoint means to stand still. */
export const watchedAt = 1
