/** No incident begins later than this, and those that last have ended. */
export const calmAfterMs = 2 * 60_000
