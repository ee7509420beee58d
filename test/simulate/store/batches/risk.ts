const notModelled = async (): Promise<never> => {
  throw new Error('Reports of batches are not part of a history')
}

export const readRiskTotals = notModelled
