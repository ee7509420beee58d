import { z } from 'zod'
import { classifications } from '../../domain/classifications.ts'

const moment = z.string().meta({ format: 'date-time' })

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
