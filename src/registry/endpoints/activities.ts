import { z } from 'zod'
import type { Account } from '../../domain/account.ts'
import { parseMoment } from '../../domain/moment.ts'
import type { Call, CallOptions } from '../call.ts'
import { documentFrom, integerFrom, objectFrom, textFrom, wordFrom } from '../loose.ts'

export type ListedAnalysis = {
  id: string
  uniqueId: string
  document: string
  createdAt: Date | null
  status: string
}

export type Consumption = {
  document: string
  uniqueId: string | null
  consume: number | null
  plan: string | null
  createdAt: Date | null
}

export type Activities = {
  /** Nothing is missing from the list and all of it was readable: only then does it prove that something is absent. */
  complete: boolean
  total: number | null
  analyses: ListedAnalysis[]
  consumption: Consumption[]
}

const listed = z.looseObject({ result: z.array(z.unknown()) })

export const activities = (call: Call) => ({
  /** Every analysis of an organization and what each document consumed. (Interface 4.6) */
  async list(account: Account, options?: CallOptions): Promise<Activities> {
    const { holderId, organizationId } = account
    const path = '/v1/holder/{holderId}/organization/{organizationId}/activities'
    const reply = await call(
      { method: 'GET', path, at: { holderId, organizationId }, reply: listed, list: true },
      options,
    )
    return activitiesFrom(reply.result, integerFrom(reply.total))
  },
})

function activitiesFrom(result: unknown[], total: number | null): Activities {
  const items = result.map(itemFrom)
  const readable = items.filter((item) => item !== null)
  return {
    complete: total === result.length && readable.length === result.length && readable.every((item) => item.complete),
    total,
    analyses: readable.flatMap((item) => item.analyses),
    consumption: readable.map((item) => item.consumption),
  }
}

function itemFrom(value: unknown) {
  const item = objectFrom(value)
  const document = documentFrom(item?.documentNumber, item?.documentType)
  if (!item || document === null) return null
  const inner = Array.isArray(item.userPlanConsumeAnalytics) ? item.userPlanConsumeAnalytics : null
  const found = (inner ?? []).map((analysis) => analysisFrom(analysis, document, item))
  const analyses = found.filter((analysis) => analysis !== null)
  return {
    complete: inner !== null && analyses.length === found.length,
    analyses,
    consumption: {
      document,
      uniqueId: textFrom(item.userPlanConsumeUniqueId),
      consume: integerFrom(item.consume),
      plan: textFrom(item.typePlan),
      createdAt: parseMoment(item.createdAt) ?? parseMoment(item.createdAtDate),
    },
  }
}

function analysisFrom(value: unknown, document: string, item: Record<string, unknown>): ListedAnalysis | null {
  const analysis = objectFrom(value)
  const id = textFrom(analysis?.userPlanConsumeAnalyticsId)
  const uniqueId = textFrom(analysis?.userPlanConsumeUniqueId) ?? textFrom(item.userPlanConsumeUniqueId)
  if (!analysis || !id || !uniqueId) return null
  return { id, uniqueId, document, createdAt: parseMoment(analysis.createdAt), status: wordFrom(analysis.status) }
}
