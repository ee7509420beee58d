/** The description of the 12 operations. */
export const describeService = (): unknown => ({ openapi: '3.1.0' })
