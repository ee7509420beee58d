import { share } from './data/hash.ts'
import type { Analysis } from './records.ts'
import type { SandboxInternals } from './registry.ts'
import type { World } from './world.ts'

/** One answer of the list of analyses: groups of analyses, each of which becomes an item. */
type Listed = { items: Analysis[][]; total: number; page: number | null }

/** Chooses, groups, cuts and orders what the list shows, by the rules of the scenario. (Interface 4.6) */
export const listed = (registry: SandboxInternals, organizationId: number, request: number): Listed => {
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
