/** The registry of a history names no earlier purchases, so nothing contradicts the ledger. */
export const recordContradiction = async (): Promise<boolean> => {
  throw new Error('The registry of the simulation names no earlier purchase')
}

export const latestContradiction = async (): Promise<Date | null> => null
