import { z } from 'zod'

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
