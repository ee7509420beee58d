import { share } from '../data/hash.ts'
import { personNameOf, termsOf } from '../data/people.ts'
import { epoch, momentText } from '../moments.ts'
import type { Analysis } from '../records.ts'
import type { AccountWork, Reply, SandboxInternals } from '../registry.ts'
import { accountOf } from '../tokens.ts'
import type { Activity } from '../wire.ts'
import type { World } from '../world.ts'
import { searchStatus, statusesOf } from './analyses.ts'

/** One item per document, newest first, each with all its analyses, unless the scenario has it otherwise. (Interface 4.6) */
export const activities: AccountWork = (call, registry, { organizationId }) => {
  const { items, total, page } = listed(registry, organizationId, call.exchange.n)
  const { empty, extra } = registry.scenario.world.list
  if (items.length === 0 && empty !== 'array') return emptyForms[empty]
  const result = items.map((analyses) => itemOf(registry, analyses))
  const figures = figuresOf(registry, items, page ?? limitAbove(total))
  return { status: 200, body: { sucess: true, reason: '', total, ...figures, ...extra, result } }
}

const noFigures = { reason: '', total: 0, from: 0, to: 0, limit: 0 }
const refusal = { sucess: false, ...noFigures, reason: 'Nenhum registro encontrado', result: null }

/** The interface does not show the form of an empty list. (Interface 2.6) */
const emptyForms: Record<Exclude<World['list']['empty'], 'array'>, Reply> = {
  null: { status: 200, body: null },
  nullResult: { status: 200, body: { sucess: true, ...noFigures, result: null } },
  noResult: { status: 200, body: { sucess: true, ...noFigures } },
  notFound: { status: 404, body: refusal },
  refused: { status: 200, body: refusal },
}

const figuresOf = (registry: SandboxInternals, items: Analysis[][], limit: number) => {
  const { figures } = registry.scenario.world.list
  if (figures === 'null') return { from: null, to: null, limit: null }
  if (figures === 'zero') return { from: 0, to: 0, limit: 0 }
  const limits = { own: limit, length: items.length, analyses: items.flat().length }
  return { from: 0, to: items.length, limit: limits[figures] }
}

/** A registry that cuts its list names a limit; this one is never reached. */
const limitAbove = (total: number): number => (Math.floor(total / 10_000) + 1) * 10_000

/** What the interface shows, as this world writes it. */
const itemOf = (registry: SandboxInternals, analyses: Analysis[]): object => {
  const { ids, undated, foreign } = registry.scenario.world.list
  const first = analyses[0] as Analysis
  const item = activityOf(registry, analyses)
  if (ids === 'number' && undated === 0 && foreign !== 'marked') return item
  const isUndated = undated > 0 && share(`undated ${first.id}`, registry.seed) < undated
  const inner = item.userPlanConsumeAnalytics.map((analysis) => ({
    ...analysis,
    ...(ids === 'string' && idTexts(analysis)),
    ...(isUndated && { createdAt: null }),
  }))
  return {
    ...item,
    ...(foreign === 'marked' && accountOf(first.organizationId)),
    ...(ids === 'string' && { userPlanConsumeUniqueId: String(item.userPlanConsumeUniqueId) }),
    ...(isUndated && { createdAt: null, createdAtDate: null, updatedAt: null }),
    userPlanConsumeAnalytics: inner,
  }
}

const idTexts = (analysis: Activity['userPlanConsumeAnalytics'][number]) =>
  Object.fromEntries(idNames.map((name) => [name, String(analysis[name])]))

const idNames = ['lastUserPlanConsumeAnalytics', 'userPlanConsumeUniqueId', 'userPlanConsumeAnalyticsId'] as const

const activityOf = (registry: SandboxInternals, analyses: Analysis[]): Activity => {
  const first = analyses[0] as Analysis
  const latest = analyses.at(-1) as Analysis
  const totals = registry.records.planted.get(first.document)?.totals
  return {
    accessPauseMonitor: false,
    createdAtDate: epoch(registry, first.at),
    documentInfo: personNameOf(first.document, registry.seed),
    documentType: first.type,
    documentNumber: first.document,
    typePlan: 'ANALYTICS',
    rfBaseStatus: 'ATIVA',
    createdAt: momentText(registry, first.at, 'zoned'),
    typeSearch: 'DOCUMENT',
    updatedAt: momentText(registry, latest.at, 'zoned'),
    deletedAt: first.deletedAt === undefined ? '' : deletionOf(registry, first.deletedAt),
    planChangedAt: '',
    dtAvailablePause: '',
    daypausemonitor: 0,
    consume: analyses.length,
    userPlanConsumeUniqueId: first.uniqueId,
    latestTotalAnalyzed: totals?.analyzed ?? 0,
    latestTotalRisk: totals?.risk ?? 0,
    userPlanConsumeAnalytics: analyses.map((analysis) => analysisOf(registry, analysis)),
  }
}

/** A deletion is dated even where nothing else is: nothing else shows it. */
const deletionOf = (registry: SandboxInternals, at: number): string =>
  momentText(registry, at, 'zoned') ?? new Date(at).toISOString()

const analysisOf = (registry: SandboxInternals, analysis: Analysis): Activity['userPlanConsumeAnalytics'][number] => ({
  userPlanConsumeProtestSummaryId: '',
  bucketName: 'sandbox-reports',
  userPlanConsumeGovernmentDebtorSummaryId: '',
  ...statusesOf(registry, analysis),
  statusDebtor: searchStatus(registry, analysis, 'debtor'),
  statusQSA: searchStatus(registry, analysis, 'qsa'),
  filenameFull: `${analysis.id}-full.xlsx`,
  filename: `${analysis.id}.xlsx`,
  typePlan: 'ANALYTICS',
  createdAt: momentText(registry, analysis.at, 'zoned'),
  folder: '',
  hasMindMap: false,
  hasCertification: false,
  lastUserPlanConsumeAnalytics: analysis.previousId,
  userPlanConsumeUniqueId: analysis.uniqueId,
  userPlanConsumeAnalyticsId: analysis.id,
  faturamentoEstimado: 0,
  importantTerms: termsOf(analysis.document, registry.seed),
})

/** One answer of the list of analyses: groups of analyses, each of which becomes an item. */
type Listed = { items: Analysis[][]; total: number; page: number | null }

/** Chooses, groups, cuts and orders what the list shows, by the rules of the scenario. (Interface 4.6) */
const listed = (registry: SandboxInternals, organizationId: number, request: number): Listed => {
  const { activities, world } = registry.scenario
  const { of, order } = world.list
  const visible = everything(registry, organizationId).filter(isVisible(registry))
  const all = newestFirst(itemsOf(visible, world.list), world.list)
  const shuffle = shuffling(registry.seed, request)
  const page = activities.limit ?? world.list.page
  const keep = activities.limit === null ? world.list.keep : activities.keep
  const pageOf = (items: Analysis[][]) => (page === null ? items : keeping[keep](items, page, shuffle))
  const shown = of === 'items' ? pageOf(all) : partsOf(all, pageOf(newestFirst(each(visible), world.list)))
  const isLie = activities.totalLies || world.list.total === 'page'
  return { items: ordering[order](shown, shuffle), total: isLie ? shown.length : all.length, page }
}

const itemsOf = (analyses: Analysis[], { per }: World['list']): Analysis[][] =>
  per === 'analysis' ? each(analyses) : [...Map.groupBy(analyses, ({ uniqueId }) => uniqueId).values()]

const each = (analyses: Analysis[]): Analysis[][] => analyses.map((analysis) => [analysis])

const newestFirst = (items: Analysis[][], { by }: World['list']): Analysis[][] => {
  const ranked = (item: Analysis[]) => item.at(by === 'first' ? 0 : -1)!
  return items.toSorted((a, b) => ranked(b).at - ranked(a).at || ranked(b).id - ranked(a).id)
}

/** The part of each item that a page by analyses shows. */
const partsOf = (items: Analysis[][], page: Analysis[][]): Analysis[][] => {
  const kept = new Set(page.flat())
  return items.map((item) => item.filter((analysis) => kept.has(analysis))).filter((item) => item.length > 0)
}

type Shuffle = (items: Analysis[][]) => Analysis[][]

const keeping: Record<World['list']['keep'], (items: Analysis[][], page: number, shuffle: Shuffle) => Analysis[][]> = {
  newest: (items, page) => items.slice(0, page),
  oldest: (items, page) => items.slice(Math.max(0, items.length - page)),
  any: (items, page, shuffle) => {
    const drawn = new Set(shuffle(items).slice(0, page))
    return items.filter((item) => drawn.has(item))
  },
}

const ordering: Record<World['list']['order'], (items: Analysis[][], shuffle: Shuffle) => Analysis[][]> = {
  newest: (items) => items,
  oldest: (items) => items.toReversed(),
  shuffled: (items, shuffle) => shuffle(items),
}

/** Another order for each request; the same requests in the same order get the same orders. */
const shuffling =
  (seed: number, request: number): Shuffle =>
  (items) => {
    const places = new Map(items.map((item) => [item, share(`order ${request} ${item[0]!.id}`, seed)]))
    return items.toSorted((a, b) => places.get(a)! - places.get(b)!)
  }

const everything = ({ records, scenario }: SandboxInternals, organizationId: number): Analysis[] => {
  if (scenario.world.list.foreign !== 'none') return [...records.analyses.values()]
  return [...(records.consumption.get(organizationId)?.values() ?? [])].flat()
}

const isVisible = ({ scenario, seed, now }: SandboxInternals): ((analysis: Analysis) => boolean) => {
  const { activities, world } = scenario
  const moment = now()
  const lagMs = Math.max(activities.lagMs, world.list.lagMs)
  const lagOf = world.list.lags === 'each' ? (id: number) => lagMs * share(`lag ${id}`, seed) : () => lagMs
  const showsDeleted = world.list.deleted === 'listed'
  return ({ id, at, deletedAt }) => at <= moment - lagOf(id) && (showsDeleted || deletedAt === undefined)
}
