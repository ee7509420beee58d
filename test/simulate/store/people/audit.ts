/** What operators did is not looked at by the simulation. */
export const recordAudit = async (): Promise<void> => {}
