import { authorize, isRefusal } from '../authorize.ts'
import type { Analysis } from '../books.ts'
import { isoDateTime } from '../data/clock-text.ts'
import { nameOf } from '../data/people.ts'
import { progressOf, type Registry, type Work } from '../registry.ts'
import type { Activity } from '../wire/activity.ts'
import { statusesOf } from './analyses.ts'

/** One item per document, newest first, each with all its analyses; whole unless the scenario cuts it. (Interface 4.6) */
export const activities: Work = (call, registry) => {
  const { holderId, organizationId } = call.params
  const account = authorize(call, registry, { organizationId, holderId })
  if (isRefusal(account)) return account
  const all = [...(registry.books.consumption.get(account.organizationId)?.values() ?? [])]
  const { limit, keep, totalLies, lagMs } = registry.scenario.activities
  const listed = (lagMs > 0 ? withoutYoung(all, registry.now() - lagMs) : all).reverse()
  const shown = limit === null ? listed : keep === 'newest' ? listed.slice(0, limit) : listed.slice(-limit || Infinity)
  const total = totalLies ? shown.length : listed.length
  const result = shown.map((analyses) => activityOf(registry, analyses))
  const body = { sucess: true, reason: '', total, from: 0, to: shown.length, limit: limit ?? total, result }
  return { status: 200, body }
}

function withoutYoung(items: Analysis[][], youngest: number): Analysis[][] {
  return items.map((analyses) => analyses.filter(({ at }) => at <= youngest)).filter((analyses) => analyses.length > 0)
}

function activityOf(registry: Registry, analyses: Analysis[]): Activity {
  const first = analyses[0] as Analysis
  const latest = analyses.at(-1) as Analysis
  return {
    accessPauseMonitor: false,
    createdAtDate: first.at,
    documentInfo: nameOf(first.document, registry.seed),
    documentType: first.type,
    documentNumber: first.document,
    typePlan: 'ANALYTICS',
    rfBaseStatus: 'ATIVA',
    createdAt: isoDateTime(first.at),
    typeSearch: 'DOCUMENT',
    updatedAt: isoDateTime(latest.at),
    deletedAt: '',
    planChangedAt: '',
    dtAvailablePause: '',
    daypausemonitor: 0,
    consume: analyses.length,
    userPlanConsumeUniqueId: first.uniqueId,
    latestTotalAnalyzed: 0,
    latestTotalRisk: 0,
    userPlanConsumeAnalytics: analyses.map((analysis) => analysisOf(registry, analysis)),
  }
}

function analysisOf(registry: Registry, analysis: Analysis): Activity['userPlanConsumeAnalytics'][number] {
  return {
    userPlanConsumeProtestSummaryId: '',
    bucketName: 'sandbox-reports',
    userPlanConsumeGovernmentDebtorSummaryId: '',
    ...statusesOf(progressOf(registry, analysis)),
    statusDebtor: 'INITIAL',
    statusQSA: 'INITIAL',
    filenameFull: `${analysis.id}-full.xlsx`,
    filename: `${analysis.id}.xlsx`,
    typePlan: 'ANALYTICS',
    createdAt: isoDateTime(analysis.at),
    folder: '',
    hasMindMap: false,
    hasCertification: false,
    lastUserPlanConsumeAnalytics: analysis.previousId,
    userPlanConsumeUniqueId: analysis.uniqueId,
    userPlanConsumeAnalyticsId: analysis.id,
    faturamentoEstimado: 0,
    importantTerms: [],
  }
}
