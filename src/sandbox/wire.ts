import { z } from 'zod'
import { classifications } from '../domain/classifications.ts'

const moment = z.string().meta({ format: 'date-time' })
const momentOrNull = z.string().nullable().meta({ format: 'date-time' })

/** The body that requests an analysis. (Interface 4.4) */
export const generateBody = z
  .object({
    holderId: z.int(),
    organizationId: z.int(),
    planId: z.int(),
    documentType: z.string().meta({ examples: ['CPF', 'CNPJ'] }),
    documentNumber: z.string(),
  })
  .meta({ id: 'GenerateAnalysis' })

/** Analysis created. (Interface 2.4) */
export const generated = z
  .object({
    status: z.string(),
    result: z.object({
      documentInfo: z.string(),
      documentNumber: z.string(),
      statusIndex: z.string(),
      statusProtest: z.string(),
      statusReport: z.string(),
      status: z.string(),
      typePlan: z.string(),
      lastUserPlanConsumeAnalytics: z.int(),
      userPlanConsumeUniqueId: z.int(),
      userPlanConsumeAnalyticsId: z.int(),
      totalProcessesEstimated: z.int(),
      createdAt: moment,
    }),
  })
  .meta({ id: 'AnalysisCreated' })

/** The body that requests the summary of an analysis. (Interface 4.5) */
export const consultBody = z
  .object({ holderId: z.int(), organizationId: z.int(), userPlanConsumeUniqueId: z.int() })
  .meta({ id: 'ConsultAnalysis' })

const figure = z.object({ vltotalProcess: z.string(), totalProcess: z.int() }).meta({ id: 'ClassificationTotal' })

/** Analysis summary: totals per risk classification. (Interface 2.5) */
export const consulted = z
  .object({
    success: z.boolean(),
    reason: z.string(),
    register: z.object({
      summary: z.object(Object.fromEntries(classifications.map((key) => [key, figure]))),
      userPlanConsumeProtestSummaryId: z.string(),
      bucketName: z.string(),
      statusIndex: z.string(),
      statusProtest: z.string(),
      statusReport: z.string(),
      status: z.string(),
      typePlan: z.string(),
      filenameFull: z.string(),
      lastUserPlanConsumeAnalytics: z.int(),
      urlTempFull: z.string(),
      urlTemp: z.string(),
      userPlanConsumeUniqueId: z.int(),
      userPlanConsumeAnalyticsId: z.int(),
      createdAt: z.string().meta({ description: 'dd/mm/yyyy hh:mm:ss' }),
      folder: z.string(),
      importantTerms: z.array(z.string()),
    }),
  })
  .meta({ id: 'AnalysisSummary' })

/** One analysis inside an activity item. (Interface 2.6) */
const activityAnalysis = z
  .object({
    userPlanConsumeProtestSummaryId: z.string(),
    bucketName: z.string(),
    userPlanConsumeGovernmentDebtorSummaryId: z.string(),
    statusIndex: z.string(),
    statusProtest: z.string(),
    filenameFull: z.string(),
    statusDebtor: z.string(),
    statusReport: z.string(),
    typePlan: z.string(),
    createdAt: z.string(),
    folder: z.string(),
    statusQSA: z.string(),
    status: z.string(),
    filename: z.string(),
    hasMindMap: z.boolean(),
    hasCertification: z.boolean(),
    lastUserPlanConsumeAnalytics: z.int(),
    userPlanConsumeUniqueId: z.int(),
    userPlanConsumeAnalyticsId: z.int(),
    faturamentoEstimado: z.int(),
    importantTerms: z.array(z.string()),
  })
  .meta({ id: 'ActivityAnalysis' })

const activity = z
  .object({
    accessPauseMonitor: z.boolean(),
    createdAtDate: z.int(),
    documentInfo: z.string(),
    documentType: z.string(),
    documentNumber: z.string(),
    typePlan: z.string(),
    rfBaseStatus: z.string(),
    createdAt: z.string(),
    typeSearch: z.string(),
    updatedAt: z.string(),
    deletedAt: z.string(),
    planChangedAt: z.string(),
    dtAvailablePause: z.string(),
    daypausemonitor: z.int(),
    consume: z.int(),
    userPlanConsumeUniqueId: z.int(),
    latestTotalAnalyzed: z.int(),
    latestTotalRisk: z.int(),
    userPlanConsumeAnalytics: z.array(activityAnalysis),
  })
  .meta({ id: 'Activity' })

/** The analyses and plan consumption of an organization; "sucess" is the interface's spelling. (Interface 2.6) */
export const activitiesReply = z
  .object({
    sucess: z.boolean(),
    reason: z.string(),
    total: z.int(),
    from: z.int(),
    to: z.int(),
    limit: z.int(),
    result: z.array(activity),
  })
  .meta({ id: 'Activities' })

export type Activity = z.output<typeof activity>

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
    createdAt: momentOrNull,
    updatedAt: momentOrNull,
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
