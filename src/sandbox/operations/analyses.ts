import type { z } from 'zod'
import { authorize, isExhausted, isRefusal } from '../authorize.ts'
import { type Analysis, firstAnalysisId } from '../books.ts'
import { brazilianDateTime, isoDateTime } from '../data/clock-text.ts'
import { isDocument } from '../data/document-check.ts'
import { nameOf } from '../data/people.ts'
import { emptySummary, processCountOf, summaryOf } from '../data/risk.ts'
import { invalidDocument, planNotAllowed } from '../refusals.ts'
import { analysesOf, epochOf, progressOf, type Registry, type Work } from '../registry.ts'
import type { consultBody, generateBody } from '../wire/analysis.ts'

/** Each call makes a new analysis and costs one unit: there is no idempotency key. (Interface 4.4) */
export const generate: Work = (call, registry) => {
  const { documentType, documentNumber, ...claim } = call.body as z.output<typeof generateBody>
  call.exchange.document = documentNumber
  const account = authorize(call, registry, claim)
  if (isRefusal(account)) return account
  if (!isDocument(documentType, documentNumber)) return invalidDocument()
  if (isExhausted(registry, account)) return planNotAllowed()
  const analysis = buyAnalysis(registry, account.organizationId, documentType, documentNumber, call.stuck)
  return { status: 201, body: { status: 'CREATED', result: createdResult(registry, analysis) } }
}

/** Enters an analysis and its charge, as one happening. */
export function buyAnalysis(
  registry: Registry,
  organizationId: number,
  type: string,
  document: string,
  stuck: boolean,
): Analysis {
  const id = firstAnalysisId + registry.books.analyses.size
  const previous = analysesOf(registry.books, organizationId, document).at(-1)
  const uniqueId = previous?.uniqueId ?? id - 4_000_000
  const at = registry.now()
  const analysis = { id, uniqueId, previousId: previous?.id ?? 0, organizationId, type, document, at, stuck }
  registry.record({ type: 'analysis', analysis })
  return analysis
}

/** Totals per risk classification; until the analysis is ready they all read zero. (Interface 4.5) */
export const consult: Work = (call, registry) => {
  const { userPlanConsumeUniqueId, ...claim } = call.body as z.output<typeof consultBody>
  const account = authorize(call, registry, claim)
  if (isRefusal(account)) return account
  const analysis = registry.books.analyses.get(Number(call.params.userPlanConsumeAnalyticsId))
  if (analysis?.organizationId !== account.organizationId || analysis.uniqueId !== userPlanConsumeUniqueId)
    return { status: 404, body: { success: false, reason: 'Analysis not found' } }
  call.exchange.document = analysis.document
  const shown = call.stuck ? { ...analysis, stuck: true } : analysis
  return { status: 200, body: { success: true, reason: '', register: registerOf(registry, shown) } }
}

/** The statuses of an analysis on its way; statusProtest never leaves INITIAL. (Interface 3.2) */
export function statusesOf(progress: number) {
  if (progress >= 1) return statuses.done
  return progress < 0.5 ? statuses.indexing : statuses.reporting
}

const statuses = {
  indexing: { statusIndex: 'PROCESSING', statusProtest: 'INITIAL', statusReport: 'INITIAL', status: 'PROCESSING' },
  reporting: { statusIndex: 'DONE', statusProtest: 'INITIAL', statusReport: 'PROCESSING', status: 'PROCESSING' },
  done: { statusIndex: 'DONE', statusProtest: 'INITIAL', statusReport: 'DONE', status: 'DONE' },
}

function createdResult(registry: Registry, analysis: Analysis) {
  const { document } = analysis
  return {
    documentInfo: nameOf(document, registry.seed),
    documentNumber: document,
    ...statuses.indexing,
    typePlan: 'ANALYTICS',
    lastUserPlanConsumeAnalytics: analysis.previousId,
    userPlanConsumeUniqueId: analysis.uniqueId,
    userPlanConsumeAnalyticsId: analysis.id,
    totalProcessesEstimated: processCountOf(document, epochOf(registry), registry.books.planted.get(document)),
    createdAt: isoDateTime(analysis.at),
  }
}

function registerOf(registry: Registry, analysis: Analysis) {
  const { id, document } = analysis
  const progress = progressOf(registry, analysis)
  const planted = registry.books.planted.get(document)
  const address = `${registry.files.url}/${id}.xlsx?signed=${registry.now()}`
  return {
    summary: progress < 1 ? emptySummary : summaryOf(document, epochOf(registry), planted),
    userPlanConsumeProtestSummaryId: `protest-${id}`,
    bucketName: 'sandbox-reports',
    ...statusesOf(progress),
    typePlan: 'ANALYTICS',
    filenameFull: `${id}-full.xlsx`,
    lastUserPlanConsumeAnalytics: analysis.previousId,
    urlTempFull: `${address}&full=1`,
    urlTemp: address,
    userPlanConsumeUniqueId: analysis.uniqueId,
    userPlanConsumeAnalyticsId: id,
    createdAt: brazilianDateTime(analysis.at),
    folder: `reports/${analysis.organizationId}`,
    importantTerms: ['execução', 'penhora'],
  }
}
