import { z } from 'zod'

/** A radar as it is added, and as the add operation answers. (Interface 2.2) */
export const radarBody = z
  .object({ name: z.string(), code: z.string(), type: z.string().meta({ examples: ['CPF', 'CNPJ'] }) })
  .meta({ id: 'Radar' })

/** The radars of an organization. (Interface 2.2) */
export const radarLinks = z.array(
  z
    .object({
      id: z.int(),
      radar: z.object({
        id: z.int(),
        code: z.string(),
        name: z.string(),
        type: z.string(),
        createdAt: z.int().meta({ description: 'epoch milliseconds' }),
        active: z.boolean(),
        preProcessedAt: z.string().meta({ description: 'ISO 8601 without time zone' }),
        typeCustomer: z.string(),
      }),
      createdAt: z.int().meta({ description: 'epoch milliseconds' }),
    })
    .meta({ id: 'RadarLink' }),
)

export type RadarLink = z.output<typeof radarLinks>[number]

/** The body that requests the number of processes of a document. (Interface 4.7) */
export const processCountBody = z
  .object({ documentType: z.string(), documentNumber: z.string() })
  .meta({ id: 'CountProcesses' })

const moment = z.string().meta({ format: 'date-time' })

/** Process count list. (Interface 2.3) */
export const processCountReply = z
  .object({
    success: z.boolean(),
    reason: z.string(),
    total: z.int(),
    result: z.array(
      z.object({
        accessPauseMonitor: z.boolean(),
        documentInfo: z.string(),
        dayPauseMonitor: z.int(),
        documentType: z.string(),
        documentNumber: z.string(),
        consume: z.int(),
        typePlan: z.string(),
        userPlanConsumeUniqueId: z.int(),
        createdAt: moment,
        deletedAt: moment,
        planChangedAt: moment,
        dtAvailablePause: moment,
        updatedAt: moment,
        typeSearch: z.string(),
      }),
    ),
  })
  .meta({ id: 'ProcessCount' })

/** Process inactivation result; "sucess" is the interface's spelling. (Interface 2.7) */
export const inactivated = z
  .object({
    sucess: z.boolean(),
    reason: z.string().nullable(),
    total: z.int(),
    result: z.record(z.string(), z.unknown()),
    process: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'ProcessInactivation' })
