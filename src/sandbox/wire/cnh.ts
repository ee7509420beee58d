import { z } from 'zod'

const moment = z.string().nullable().meta({ format: 'date-time' })

/** The body that requests a driver's licence. (Interface 4.1) */
export const cnhBody = z.object({ organizationId: z.int(), document: z.string() }).meta({ id: 'CreateCnh' })

/** CNH record. (Interface 2.1) */
export const cnhRecord = z
  .object({
    requestId: z.string(),
    organizationId: z.int().meta({ format: 'int64' }),
    document: z.string(),
    status: z.string(),
    data: z.record(z.string(), z.unknown()).nullable(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'CnhRecord' })

export type CnhRecord = z.output<typeof cnhRecord>

/** Token refresh. (Interface 2.8) */
export const refreshBody = z
  .object({ email: z.string(), username: z.string(), refreshToken: z.string() })
  .meta({ id: 'RefreshToken' })

export const refreshed = z
  .object({ email: z.string(), username: z.string(), token: z.string() })
  .meta({ id: 'TokenRefreshed' })

/** `{message, error}`: the error body of inactivation; the sandbox uses it wherever the interface shows none. (Interface 7) */
export const errorBody = z.object({ message: z.string(), error: z.string() }).meta({ id: 'Error' })

/** `{status, message}`: PLAN_NOT_ALLOWED, PROCESSING, INVALID_DOCUMENT. (Interface 7) */
export const statusBody = z.object({ status: z.string(), message: z.string() }).meta({ id: 'StatusMessage' })

/** The further SCR error body. (Interface 7) */
export const typedErrorBody = z.object({ type: z.string(), message: z.string() }).meta({ id: 'TypedError' })

/** The interface shows no success body of the indicators. (Interface 4.11) */
export const indicators = z.record(z.string(), z.unknown()).meta({ id: 'ScrIndicators' })
