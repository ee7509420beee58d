/** The simulation sweeps no radars through the store. */
export const compareSize = async (): Promise<{ mirrored: number; missing: number }> => ({ mirrored: 0, missing: 0 })
