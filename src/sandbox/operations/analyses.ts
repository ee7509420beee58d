import type { z } from 'zod'
import { isDocument } from '../data/document-check.ts'
import { personNameOf, termsOf } from '../data/people.ts'
import { emptySummary, processCountOf, summaryOf } from '../data/risk.ts'
import { answerMoment } from '../moments.ts'
import { type Analysis, analysesOf, firstAnalysisId } from '../records.ts'
import { type AccountWork, epochOf, progressOf, refusals, type SandboxInternals } from '../registry.ts'
import { isExhausted } from '../tokens.ts'
import type { consultBody, generateBody } from '../wire.ts'

/** Each call makes a new analysis and costs one unit: there is no idempotency key. (Interface 4.4) */
export const generate: AccountWork = (call, registry, account) => {
  const { documentType, documentNumber } = call.body as z.output<typeof generateBody>
  if (!isDocument(documentType, documentNumber)) return refusals.invalidDocument
  if (isExhausted(registry, account)) return refusals.planNotAllowed
  const { organizationId } = account
  const analysis = buyAnalysis(registry, {
    organizationId,
    type: documentType,
    document: documentNumber,
    stuck: call.stuck,
  })
  return {
    status: 201,
    body: { status: registry.scenario.world.words.created, result: createdResult(registry, analysis) },
  }
}

type Bought = Pick<Analysis, 'organizationId' | 'document'> & Partial<Analysis>

/** Records an analysis and its charge as one happening. A deleted analysis is not continued: a new one is started. */
export const buyAnalysis = (registry: SandboxInternals, bought: Bought): Analysis => {
  const { organizationId, document } = bought
  const id = firstAnalysisId + registry.records.analyses.size
  const previous = analysesOf(registry.records, organizationId, document).at(-1)
  const uniqueId = previous && previous.deletedAt === undefined ? previous.uniqueId : id - 4_000_000
  const analysis: Analysis = {
    id,
    uniqueId,
    previousId: previous?.id ?? 0,
    type: document.length === 11 ? 'CPF' : 'CNPJ',
    at: registry.now(),
    stuck: false,
    ...bought,
  }
  registry.record({ type: 'analysis', analysis })
  return analysis
}

/** Totals per risk classification; until the analysis is ready they are all zero. (Interface 4.5) */
export const consult: AccountWork = (call, registry, account) => {
  const { userPlanConsumeUniqueId } = call.body as z.output<typeof consultBody>
  const analysis = registry.records.analyses.get(Number(call.params.userPlanConsumeAnalyticsId))
  const isTheirs = analysis?.organizationId === account.organizationId && analysis.uniqueId === userPlanConsumeUniqueId
  if (!isTheirs || analysis.deletedAt !== undefined)
    return { status: 404, body: { success: false, reason: 'Analysis not found' } }
  call.exchange.document = analysis.document
  const shown = call.stuck ? { ...analysis, stuck: true } : analysis
  return { status: 200, body: { success: true, reason: '', register: registerOf(registry, shown) } }
}

/** The statuses of an analysis. The search for protests ends by itself, perhaps never. (Interface 3.2) */
export const statusesOf = (
  registry: SandboxInternals,
  analysis: Analysis,
  progress = progressOf(registry, analysis),
) => {
  const { initial, processing } = registry.scenario.world.words
  const statusProtest = searchStatus(registry, analysis, 'protest', progress)
  if (progress >= 1) return { statusIndex: 'DONE', statusProtest, statusReport: 'DONE', status: 'DONE' }
  return progress < 0.5
    ? { statusIndex: processing, statusProtest, statusReport: initial, status: processing }
    : { statusIndex: 'DONE', statusProtest, statusReport: processing, status: processing }
}

type Search = keyof SandboxInternals['scenario']['searches']

export const searchStatus = (
  registry: SandboxInternals,
  analysis: Analysis,
  search: Search,
  progress = progressOf(registry, analysis),
): string => {
  const ends = registry.scenario.searches[search]
  const isDone =
    ends === 'with_analysis' ? progress >= 1 : ends !== 'never' && registry.now() - analysis.at >= ends.afterMs
  return isDone ? 'DONE' : registry.scenario.world.words.initial
}

const createdResult = (registry: SandboxInternals, analysis: Analysis) => {
  const { document } = analysis
  return {
    documentInfo: personNameOf(document, registry.seed),
    documentNumber: document,
    ...statusesOf(registry, analysis, 0),
    typePlan: 'ANALYTICS',
    lastUserPlanConsumeAnalytics: analysis.previousId,
    userPlanConsumeUniqueId: analysis.uniqueId,
    userPlanConsumeAnalyticsId: analysis.id,
    totalProcessesEstimated: processCountOf(document, epochOf(registry), registry.records.planted.get(document)),
    createdAt: answerMoment(registry, analysis.at, 'zoned'),
  }
}

const registerOf = (registry: SandboxInternals, analysis: Analysis) => {
  const { id, document } = analysis
  const progress = progressOf(registry, analysis)
  const planted = registry.records.planted.get(document)
  const address = `${registry.files.url}/${id}.xlsx?signed=${registry.now()}`
  return {
    summary:
      progress < 1
        ? emptySummary
        : withoutUnsearched(registry, analysis, summaryOf(document, epochOf(registry), planted)),
    userPlanConsumeProtestSummaryId: `protest-${id}`,
    bucketName: 'sandbox-reports',
    ...statusesOf(registry, analysis, progress),
    typePlan: 'ANALYTICS',
    filenameFull: `${id}-full.xlsx`,
    lastUserPlanConsumeAnalytics: analysis.previousId,
    urlTempFull: `${address}&full=1`,
    urlTemp: address,
    userPlanConsumeUniqueId: analysis.uniqueId,
    userPlanConsumeAnalyticsId: id,
    createdAt: answerMoment(registry, analysis.at, 'brazilian'),
    folder: `reports/${analysis.organizationId}`,
    importantTerms: termsOf(document, registry.seed),
  }
}

/** A class whose search has not ended is zero, as one in which nothing was found. */
const withoutUnsearched = (registry: SandboxInternals, analysis: Analysis, summary: ReturnType<typeof summaryOf>) => {
  const zero = emptySummary.ALL!
  return {
    ...summary,
    ...(searchStatus(registry, analysis, 'protest') !== 'DONE' && { RISK_PROTEST: zero }),
    ...(searchStatus(registry, analysis, 'debtor') !== 'DONE' && { RISK_DEBTOR: zero }),
  }
}

/**
 * Makes the purchases of others that the scenario names, each once, however often the scenario is set.
 *
 * They are in the registry's list and use up the plan, but they are no charges of the ledger, which counts only ours.
 */
export const buyForOthers = (registry: SandboxInternals): void => {
  for (const { documents, ageMs, at: moment, organizationId, deleted } of registry.scenario.world.others) {
    for (const document of documents) {
      const theirs = analysesOf(registry.records, organizationId, document).filter(({ by }) => by === 'others')
      if (moment === undefined ? theirs.length > 0 : theirs.some(({ at }) => at === moment)) continue
      const at = moment ?? registry.now() - ageMs
      buyAnalysis(registry, { organizationId, document, at, by: 'others' })
      if (deleted) registry.record({ type: 'deleted', organizationId, document, at: registry.now() })
    }
  }
}
