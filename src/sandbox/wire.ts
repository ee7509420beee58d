import { z } from 'zod'
import { classifications } from '../domain/classifications.ts'

const texts = <Name extends string>(...names: Name[]) => fieldsOf(names, z.string())
const integers = <Name extends string>(...names: Name[]) => fieldsOf(names, z.int())
const moments = <Name extends string>(...names: Name[]) => fieldsOf(names, z.string().meta({ format: 'date-time' }))

const fieldsOf = <Name extends string, Field extends z.ZodType>(names: Name[], field: Field) =>
  Object.fromEntries(names.map((name) => [name, field])) as Record<Name, Field>

const freeForm = z.record(z.string(), z.unknown())
const momentOrNull = z.string().nullable().meta({ format: 'date-time' })

/** What an analysis is known by, and the one before it. */
const analysisIds = integers(
  ...(['lastUserPlanConsumeAnalytics', 'userPlanConsumeUniqueId', 'userPlanConsumeAnalyticsId'] as const),
)
const statuses = texts('statusIndex', 'statusProtest', 'statusReport', 'status')

/** The body that requests an analysis. (Interface 4.4) */
export const generateBody = z
  .object({
    ...integers('holderId', 'organizationId', 'planId'),
    documentType: z.string().meta({ examples: ['CPF', 'CNPJ'] }),
    documentNumber: z.string(),
  })
  .meta({ id: 'GenerateAnalysis' })

/** Analysis created. (Interface 2.4) */
export const generated = z
  .object({
    status: z.string(),
    result: z.object({
      ...texts('documentInfo', 'documentNumber', 'typePlan'),
      ...statuses,
      ...analysisIds,
      ...integers('totalProcessesEstimated'),
      ...moments('createdAt'),
    }),
  })
  .meta({ id: 'AnalysisCreated' })

/** The body that requests the summary of an analysis. (Interface 4.5) */
export const consultBody = z
  .object(integers('holderId', 'organizationId', 'userPlanConsumeUniqueId'))
  .meta({ id: 'ConsultAnalysis' })

const figure = z.object({ vltotalProcess: z.string(), totalProcess: z.int() }).meta({ id: 'ClassificationTotal' })

/** Analysis summary: totals per risk classification. (Interface 2.5) */
export const consulted = z
  .object({
    success: z.boolean(),
    reason: z.string(),
    register: z.object({
      summary: z.object(fieldsOf([...classifications], figure)),
      ...texts('userPlanConsumeProtestSummaryId', 'bucketName', 'folder', 'filenameFull', 'urlTempFull', 'urlTemp'),
      ...texts('typePlan'),
      ...statuses,
      ...analysisIds,
      createdAt: z.string().meta({ description: 'dd/mm/yyyy hh:mm:ss' }),
      importantTerms: z.array(z.string()),
    }),
  })
  .meta({ id: 'AnalysisSummary' })

/** One analysis inside an activity item. (Interface 2.6) */
const activityAnalysis = z
  .object({
    ...texts('userPlanConsumeProtestSummaryId', 'userPlanConsumeGovernmentDebtorSummaryId', 'typePlan', 'createdAt'),
    ...texts('bucketName', 'folder', 'filenameFull', 'filename', 'statusDebtor', 'statusQSA'),
    ...statuses,
    ...analysisIds,
    ...integers('faturamentoEstimado'),
    hasMindMap: z.boolean(),
    hasCertification: z.boolean(),
    importantTerms: z.array(z.string()),
  })
  .meta({ id: 'ActivityAnalysis' })

/** How a document uses the plan, as the list of analyses and the count of processes show it. */
const consumption = {
  accessPauseMonitor: z.boolean(),
  ...texts('documentInfo', 'documentType', 'documentNumber', 'typePlan', 'typeSearch'),
  ...integers('consume', 'userPlanConsumeUniqueId'),
}

const activity = z
  .object({
    ...consumption,
    ...texts('rfBaseStatus', 'createdAt', 'updatedAt', 'deletedAt', 'planChangedAt', 'dtAvailablePause'),
    ...integers('createdAtDate', 'daypausemonitor', 'latestTotalAnalyzed', 'latestTotalRisk'),
    userPlanConsumeAnalytics: z.array(activityAnalysis),
  })
  .meta({ id: 'Activity' })

/** The analyses and plan consumption of an organization; "sucess" is the interface's spelling. (Interface 2.6) */
export const activitiesReply = z
  .object({
    sucess: z.boolean(),
    reason: z.string(),
    ...integers('total', 'from', 'to', 'limit'),
    result: z.array(activity),
  })
  .meta({ id: 'Activities' })

export type Activity = z.output<typeof activity>

/** A radar as it is added, and as the add operation answers. (Interface 2.2) */
export const radarBody = z
  .object({ name: z.string(), code: z.string(), type: z.string().meta({ examples: ['CPF', 'CNPJ'] }) })
  .meta({ id: 'Radar' })

const epoch = z.int().meta({ description: 'epoch milliseconds' })

/** The radars of an organization. (Interface 2.2) */
export const radarLinks = z.array(
  z
    .object({
      id: z.int(),
      radar: z.object({
        id: z.int(),
        ...texts('code', 'name', 'type', 'typeCustomer'),
        createdAt: epoch,
        active: z.boolean(),
        preProcessedAt: z.string().meta({ description: 'ISO 8601 without time zone' }),
      }),
      createdAt: epoch,
    })
    .meta({ id: 'RadarLink' }),
)

export type RadarLink = z.output<typeof radarLinks>[number]

/** The body that requests the number of processes of a document. (Interface 4.7) */
export const processCountBody = z.object(texts('documentType', 'documentNumber')).meta({ id: 'CountProcesses' })

/** Process count list. (Interface 2.3) */
export const processCountReply = z
  .object({
    success: z.boolean(),
    reason: z.string(),
    total: z.int(),
    result: z.array(
      z.object({
        ...consumption,
        dayPauseMonitor: z.int(),
        ...moments('createdAt', 'deletedAt', 'planChangedAt', 'dtAvailablePause', 'updatedAt'),
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
    result: freeForm,
    process: freeForm,
  })
  .meta({ id: 'ProcessInactivation' })

/** The body that requests a driver's licence. (Interface 4.1) */
export const cnhBody = z.object({ organizationId: z.int(), document: z.string() }).meta({ id: 'CreateCnh' })

/** CNH record. (Interface 2.1) */
export const cnhRecord = z
  .object({
    ...texts('requestId', 'document', 'status'),
    organizationId: z.int().meta({ format: 'int64' }),
    data: freeForm.nullable(),
    createdAt: momentOrNull,
    updatedAt: momentOrNull,
  })
  .meta({ id: 'CnhRecord' })

export type CnhRecord = z.output<typeof cnhRecord>

/** Token refresh. (Interface 2.8) */
export const refreshBody = z.object(texts('email', 'username', 'refreshToken')).meta({ id: 'RefreshToken' })

export const refreshed = z.object(texts('email', 'username', 'token')).meta({ id: 'TokenRefreshed' })

/** `{message, error}`: the error body of inactivation; the sandbox uses it wherever the interface shows none. (Interface 7) */
export const errorBody = z.object(texts('message', 'error')).meta({ id: 'Error' })

/** `{status, message}`: PLAN_NOT_ALLOWED, PROCESSING, INVALID_DOCUMENT. (Interface 7) */
export const statusBody = z.object(texts('status', 'message')).meta({ id: 'StatusMessage' })

/** The further SCR error body. (Interface 7) */
export const typedErrorBody = z.object(texts('type', 'message')).meta({ id: 'TypedError' })

/** The interface shows no success body of the indicators. (Interface 4.11) */
export const indicators = freeForm.meta({ id: 'ScrIndicators' })
