/** No history has portfolios. */
export const claimDuePortfolios = async (): Promise<[]> => []
