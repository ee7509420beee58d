import { z } from 'zod'
import { countsAll, type ListFigures } from '../../domain/judge.ts'
import type { Account } from '../../domain/lookup.ts'
import { parseSpan, type Span } from '../../domain/moment.ts'
import type { Call, CallOptions } from '../call.ts'
import { nullIfNotFound } from '../errors.ts'
import {
  documentFrom,
  earlierId,
  fieldSet,
  flagFrom,
  integerFrom,
  joinedRest,
  keptText,
  objectFrom,
  restOf,
  statusFrom,
  textFrom,
} from '../loose.ts'

type Fields = Record<string, unknown>

/** One document of the list: its consumption and its analyses. */
type Activity = NonNullable<ReturnType<typeof activityFrom>>

/** `list` has the other fields of the envelope, as they were sent. */
type ListRead = ListFigures & { list: Fields | null }

type TakeActivities = (activities: Activity[]) => undefined | Promise<void>

/** The interface shows no form of an empty list beyond the array, so `null` and an empty envelope pass too. */
const listed = z.union([
  z.looseObject({ result: z.array(z.unknown()) }),
  z.looseObject({ result: z.null().optional() }).refine(holdsNothing),
  z.null(),
])

/** An envelope without items and without a total of any. An object without `sucess` is no such envelope. */
function holdsNothing({ success, sucess, total, result }: Fields): boolean {
  const isEmpty = Array.isArray(result) ? result.length === 0 : (result ?? null) === null
  return isEmpty && flagFrom(success ?? sucess) !== null && !integerFrom(total)
}

export const activities = (call: Call) => {
  /** Every analysis of an organization, taken as the list arrives: it may be larger than memory. (Interface 4.6) */
  const read = async (account: Account, open: () => TakeActivities, options?: CallOptions): Promise<ListRead> => {
    const { holderId, organizationId } = account
    const path = '/v1/holder/{holderId}/organization/{organizationId}/activities'
    let counts = { items: 0, analyses: 0, unreadable: 0 }
    const openItems = () => {
      const take = open()
      counts = { items: 0, analyses: 0, unreadable: 0 }
      return (values: unknown[]) => {
        const found = values.map((value) => activityFrom(value, organizationId))
        const readable = found.filter((activity) => activity !== null)
        counts.items += values.length
        counts.unreadable += found.filter((activity) => !activity?.readable).length
        counts.analyses += readable.reduce((sum, { came }) => sum + came, 0)
        return take(readable)
      }
    }
    const items = { key: 'result', open: openItems }
    const at = { holderId, organizationId }
    const saysNothing = (body: Fields) => counts.items === 0 && holdsNothing(body)
    const reply = await call(
      { method: 'GET', path, at, reply: listed, list: true, items, saysNothing, on404: 'nothing', shapeOnly: true },
      options,
    ).catch(nullIfNotFound)
    const isRefusal = flagFrom(reply?.success ?? reply?.sucess) === false
    if (isRefusal || !Array.isArray(reply?.result))
      return { ...counts, total: 0, limit: null, isBare: true, list: null }
    const [total, limit] = [integerFrom(reply.total), integerFrom(reply.limit)]
    return { ...counts, total, limit, isBare: false, list: restOf(reply, envelopeFields) }
  }

  /** The complete list at once, for callers that need it by the day. */
  const list = async (account: Account, options?: CallOptions) => {
    let all: Activity[] = []
    const open = () => {
      all = []
      return (some: Activity[]) => void all.push(...some)
    }
    const figures = await read(account, open, options)
    return {
      /** Its total counts what was received, and all of it was readable. `src/purchases` judges whether it was cut short. */
      complete: countsAll(figures),
      total: figures.total,
      analyses: all.flatMap(({ analyses }) => analyses),
      consumption: all.map(({ consumption }) => consumption),
      list: figures.list,
    }
  }

  return { read, list }
}

const envelopeFields = fieldSet('success sucess result')

/** An item that names another organization is not ours. */
const activityFrom = (value: unknown, organizationId: number) => {
  const item = objectFrom(value)
  const document = documentFrom(item?.documentNumber, item?.documentType)
  if (!item || document === null) return null
  const owner = textFrom(item.organizationId)
  const inner = Array.isArray(item.userPlanConsumeAnalytics) ? item.userPlanConsumeAnalytics : null
  const came = inner?.length ?? 0
  if (owner !== null && owner !== String(organizationId))
    return { readable: true, came, analyses: [], consumption: consumptionFrom({}, document) }
  const around = { name: keptText(item.documentInfo, 300), rest: restOf(item, itemFields) }
  const found = (inner ?? []).map((analysis) => analysisFrom(analysis, document, item, around))
  const analyses = found.filter((analysis) => analysis !== null)
  return {
    /** Nothing of it had to be left out. */
    readable: inner !== null && analyses.length === found.length,
    /** How many analyses were in the reply, of any organization. */
    came,
    analyses,
    consumption: consumptionFrom(item, document),
  }
}

const consumptionFrom = (item: Fields, document: string) => ({
  document,
  consume: integerFrom(item.consume),
  plan: textFrom(item.typePlan),
  /** Free totals; null if the list does not say. */
  totalRisk: totalFrom(item.latestTotalRisk),
  totalAnalyzed: totalFrom(item.latestTotalAnalyzed),
})

const analysisFrom = (
  value: unknown,
  document: string,
  item: Fields,
  around: { name: string | null; rest: Fields | null },
) => {
  const analysis = objectFrom(value)
  const id = textFrom(analysis?.userPlanConsumeAnalyticsId)
  const uniqueId = textFrom(analysis?.userPlanConsumeUniqueId) ?? textFrom(item.userPlanConsumeUniqueId)
  if (!analysis || !id || !uniqueId) return null
  const span = parseSpan(analysis.createdAt)
  return {
    id,
    uniqueId,
    document,
    /** The text as it was written, and the span of time that it can prove. */
    dated: span && (textFrom(analysis.createdAt)?.trim().slice(0, 40) ?? null),
    datedFrom: span?.from ?? null,
    datedTo: span?.to ?? null,
    createdAt: span?.from ?? null,
    status: statusFrom(analysis.status),
    deleted: isSet(analysis.deletedAt) || (isSet(item.deletedAt) && !isLater(span, parseSpan(item.deletedAt))),
    registryName: around.name,
    /** Whether debtor registers were searched; null if the list does not say. */
    debtorStatus: keptText(analysis.statusDebtor) && statusFrom(analysis.statusDebtor),
    /** The other fields of the analysis and of the item that holds it, as they were sent. */
    listed: joinedRest(
      around.rest && { item: around.rest },
      restOf(
        { ...analysis, lastUserPlanConsumeAnalytics: earlierId(analysis.lastUserPlanConsumeAnalytics) },
        analysisFields,
      ),
    ),
  }
}

const itemFields = fieldSet('userPlanConsumeAnalytics documentInfo documentType documentNumber userPlanConsumeUniqueId')
const analysisFields = fieldSet('userPlanConsumeAnalyticsId userPlanConsumeUniqueId createdAt status statusDebtor')

/** A count of lawsuits; anything that cannot be one is not known. */
const totalFrom = (value: unknown): number | null => {
  const total = integerFrom(value)
  return total !== null && total >= 0 && total < 2 ** 31 ? total : null
}

/** An item keeps the date of its deletion when the document is bought again: what is certainly dated later is not deleted. */
const isLater = (made: Span | null, deleted: Span | null): boolean =>
  made !== null && deleted !== null && made.from > deleted.to

const isSet = (value: unknown): boolean => value !== null && value !== undefined && value !== '' && value !== false
