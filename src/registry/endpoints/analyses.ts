import { parseAmount } from '../../domain/amount.ts'
import { classifications, type RiskSummary } from '../../domain/classifications.ts'
import type { Document } from '../../domain/document.ts'
import type { Account } from '../../domain/lookup.ts'
import { parseMoment } from '../../domain/moment.ts'
import type { AnswerFields, PurchaseFields } from '../../domain/outcome.ts'
import { type Call, type CallOptions, Misshapen } from '../call.ts'
import {
  earlierId,
  fieldSet,
  flagFrom,
  identifierFrom,
  integerFrom,
  joinedRest,
  keptTerms,
  keptText,
  objectFrom,
  restOf,
  statusFrom,
  textFrom,
} from '../loose.ts'

/** Identifies an analysis at the registry; both are needed to consult it. */
type AnalysisRef = { id: string; uniqueId: string }

/** An analysis that was bought, with what the registry reports about it. */
type Generated = AnalysisRef & { fields: PurchaseFields }

/** An analysis and the number of its document, where the caller knows it. */
type AskedAnalysis = AnalysisRef & { document?: string }

const created = (body: unknown): Generated | Misshapen => {
  const result = objectFrom(objectFrom(body)?.result)
  if (!result) return new Misshapen('result')
  const id = identifierFrom(result.userPlanConsumeAnalyticsId)
  if (id === null) return new Misshapen('result', 'userPlanConsumeAnalyticsId')
  const uniqueId = identifierFrom(result.userPlanConsumeUniqueId)
  if (uniqueId === null) return new Misshapen('result', 'userPlanConsumeUniqueId')
  return { id, uniqueId, fields: purchaseFieldsFrom(result) }
}

type Fields = Record<string, unknown>

/** A reply without a register means that there is nothing yet, but only if it says so; any other object is no answer. */
const consulted = (body: unknown): Consulted | Misshapen => {
  const reply = objectFrom(body)
  if (!reply) return new Misshapen()
  const register = objectFrom(reply.register)
  const isNothingYet = (reply.register ?? null) === null && flagFrom(reply.success) === true
  return register || isNothingYet ? { reply, register } : new Misshapen('register')
}

type Consulted = { reply: Fields; register: Fields | null }

export const analyses = (call: Call) => ({
  /** Starts the analysis of a document; it is not ready yet, see `consult`. Spends plan. (Interface 4.4) */
  async generate(document: Document, account: Account, options?: CallOptions): Promise<Generated> {
    const { organizationId, holderId, planId } = account
    const about = document.number
    const body = { holderId, organizationId, planId, documentType: document.type, documentNumber: about }
    const question = { method: 'POST', path: '/v2/analytics', body, reply: created, about } as const
    return call({ ...question, kind: 'analysis', spends: true }, options)
  },

  /** Reads the summary of an analysis; a POST that changes nothing and may be repeated. (Interface 4.5) */
  async consult(ref: AskedAnalysis, account: Account, options?: CallOptions): Promise<Consultation> {
    const { organizationId, holderId } = account
    const path = '/v2/analytics/{analysisId}'
    const at = { analysisId: ref.id }
    const body = { holderId, organizationId, userPlanConsumeUniqueId: wireInteger(ref.uniqueId) }
    const shape = { reply: consulted, about: ref.document, fits: isAbout(ref) }
    const { reply, register } = await call({ method: 'POST', path, at, body, ...shape, kind: 'analysis' }, options)
    return register ? consultationFrom(register, reply) : { ...nothingYet }
  },
})

const nothingYet: Consultation = { ready: false, summary: null, seen: '-', asOf: null, spreadsheets: {}, fields: {} }

/** An answer about another analysis is rejected. */
const isAbout =
  (ref: AnalysisRef) =>
  ({ register }: Consulted) => {
    const id = textFrom(register?.userPlanConsumeAnalyticsId)
    return id === null || id === ref.id
  }

type Consultation = ReturnType<typeof consultationFrom>

/** Ready only when all three are DONE. `statusProtest` may stay INITIAL, and any other status means still waiting. */
const consultationFrom = (register: Fields, reply: Fields) => {
  const statuses = [register.status, register.statusIndex, register.statusReport]
  const summary = objectFrom(register.summary)
  const full = textFrom(register.urlTempFull)
  const partial = textFrom(register.urlTemp)
  return {
    ready: summary !== null && statuses.every((status) => status === 'DONE'),
    summary: summary && riskSummaryFrom(summary),
    /** The statuses as they were sent: status/statusIndex/statusReport. */
    seen: statuses.map(statusFrom).join('/'),
    asOf: parseMoment(register.createdAt),
    /** Temporary addresses; never a change between two consultations. */
    spreadsheets: { ...(full && { full }), ...(partial && { partial }) },
    fields: {
      ...purchaseFieldsFrom(register),
      protestStatus: keptText(register.statusProtest) && statusFrom(register.statusProtest),
      plan: keptText(register.typePlan, 100),
      protestId: keptText(register.userPlanConsumeProtestSummaryId),
      bucket: keptText(register.bucketName),
      folder: keptText(register.folder),
      fileName: keptText(register.filenameFull),
      partial: keptText(register.urlTemp, 4_000),
      terms: keptTerms(register.importantTerms),
      rest: joinedRest(restOf(reply, envelopeFields), restOf(register, registerFields)),
    } as Partial<AnswerFields>,
  }
}

const purchaseFieldsFrom = (sent: Fields): PurchaseFields => ({
  name: keptText(sent.documentInfo, 300),
  estimated: integerFrom(sent.totalProcessesEstimated),
  previousId: earlierId(sent.lastUserPlanConsumeAnalytics),
})

const envelopeFields = fieldSet('success sucess register')

/** What has its place: a column of its own, the look-up, or, as `seen`, its last statuses. */
const registerFields = fieldSet(
  `summary status statusIndex statusReport statusProtest typePlan createdAt importantTerms userPlanConsumeProtestSummaryId
   bucketName folder filenameFull urlTempFull urlTemp lastUserPlanConsumeAnalytics userPlanConsumeUniqueId
   userPlanConsumeAnalyticsId documentInfo documentNumber totalProcessesEstimated`,
)

/** The totals per classification in our own order; a classification that is not in the interface is kept apart. */
const riskSummaryFrom = (wire: Fields): RiskSummary => {
  const summary: RiskSummary = { counts: [], amounts: [], cents: [], others: {} }
  for (const key of classifications) {
    const { count, amount } = entryFrom(wire[key])
    summary.counts.push(count)
    summary.amounts.push(textFrom(amount))
    summary.cents.push(typeof amount === 'string' || typeof amount === 'number' ? parseAmount(amount) : null)
  }
  const others = Object.keys(wire).filter((key) => !known.has(key))
  if (others.length > 0) summary.others = Object.fromEntries(others.map((key) => [key, otherFrom(wire[key])]))
  return summary
}

const known: ReadonlySet<string> = new Set(classifications)

/** The amount as it was sent: 1.234 is one and a bit as a number, and more than a thousand as text. */
const entryFrom = (value: unknown): { count: number | null; amount: unknown } => {
  const entry = objectFrom(value)
  return { count: integerFrom(entry?.totalProcess), amount: entry?.vltotalProcess }
}

const otherFrom = (value: unknown): { count: number | null; amount: string | null } => {
  const { count, amount } = entryFrom(value)
  return { count, amount: textFrom(amount) }
}

/**
 * An identifier as the integer that the wire wants, digit by digit.
 *
 * Identifiers are int64 there and text here: above 2^53 a JavaScript number would name another analysis.
 */
const wireInteger = (id: string): unknown => {
  if (!/^-?(0|[1-9]\d*)$/.test(id)) return id
  const number = Number(id)
  return Number.isSafeInteger(number) ? number : json.rawJSON(id)
}

const json = JSON as typeof JSON & { rawJSON(text: string): unknown }
