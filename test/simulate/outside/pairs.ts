/** How often each state of a look-up met each outcome, and where it went from there. */
export const pairs = new Map<string, number>()
