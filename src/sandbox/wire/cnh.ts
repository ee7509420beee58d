import { z } from 'zod'

const moment = z.string().nullable().meta({ format: 'date-time' })

/** The body that asks for a driver's licence. (Interface 4.1) */
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
