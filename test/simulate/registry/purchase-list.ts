import type { RegistryPlan } from '../plan/plan.ts'

export type Purchase = {
  id: number
  uniqueId: number
  kind: 'analysis' | 'cnh'
  document: string
  organizationId: number
  at: number
  visibleAt: number
  deletedAt: number | null
  /** From when on the next list lacks it, and only that one. */
  lapsesAt: number | null
  /** One of our calls made it. */
  isOurs: boolean
  /** When a request for it is answered with its data. */
  readyAt: number
  text: string | number | undefined
}

/** `hidden`: purchases of ours that it leaves out, though its page has capacity for them or says so. */
type Body = { body: unknown; items: { documentNumber: string }[]; hidden: Purchase[] }

/** The list of purchases as this registry makes it: order, pages and figures are its own. (Interface 4.6) */
export const purchaseList = (
  purchases: readonly Purchase[],
  organizationId: number,
  plan: RegistryPlan,
  now: number,
  chance: (n: number) => number,
): Body => {
  const listed = purchases.filter(
    (p) =>
      p.kind === 'analysis' &&
      p.organizationId === organizationId &&
      p.visibleAt <= now &&
      (p.deletedAt === null || plan.deleted === 'listed'),
  )
  const all = itemsOf(listed, plan)
  const shown = pageOf(all, plan, chance)
  if (shown.length === 0 && plan.empty !== 'array') return { body: emptyForms[plan.empty], items: [], hidden: [] }
  const ordered = inOrder(shown, plan, chance)
  const analyses = ordered.flat().length
  const total = plan.total === 'page' || plan.figures === 'boast' ? shown.length : all.length
  const figures = figuresOf(plan, { total, shown: shown.length, analyses })
  const kept = new Set(ordered.flat())
  const hidden = listed.filter((p) => p.isOurs && p.deletedAt === null && !kept.has(p))
  return { body: { sucess: true, reason: '', ...figures, result: [] }, items: ordered.map(itemOf), hidden }
}

const none = { reason: '', total: 0, from: 0, to: 0, limit: 0 }
const emptyForms: Record<Exclude<RegistryPlan['empty'], 'array'>, unknown> = {
  null: null,
  missing: { sucess: true, ...none },
  refusal: { sucess: false, ...none, result: null },
}

const itemsOf = (listed: Purchase[], { per }: RegistryPlan): Purchase[][] =>
  per === 'analysis' ? listed.map((p) => [p]) : [...Map.groupBy(listed, ({ document }) => document).values()]

const pageOf = (
  all: Purchase[][],
  { page, pageOf: of, keep }: RegistryPlan,
  chance: (n: number) => number,
): Purchase[][] => {
  if (page === null) return all
  const at = (item: Purchase[]): number => item[0]!.at
  const sorted =
    keep === 'any'
      ? all.toSorted((a, b) => chance(a[0]!.id) - chance(b[0]!.id))
      : all.toSorted((a, b) => (keep === 'newest' ? at(b) - at(a) : at(a) - at(b)))
  if (of === 'items') return sorted.slice(0, page)
  let left = page
  return sorted.flatMap((item) => {
    const part = item.slice(0, left)
    left -= part.length
    return part.length > 0 ? [part] : []
  })
}

const inOrder = (items: Purchase[][], { order }: RegistryPlan, chance: (n: number) => number): Purchase[][] => {
  if (order === 'shuffled') return items.toSorted((a, b) => chance(a[0]!.id) - chance(b[0]!.id))
  return items.toSorted((a, b) => (order === 'oldest' ? a[0]!.at - b[0]!.at : b[0]!.at - a[0]!.at))
}

type Count = { total: number; shown: number; analyses: number }

const figuresOf = ({ figures, page }: RegistryPlan, { total, shown, analyses }: Count) => {
  if (figures === 'null') return { total, from: null, to: null, limit: null }
  if (figures === 'zero') return { total, from: 0, to: 0, limit: 0 }
  const limit = { own: page ?? total, roomy: page ?? 10_000, boast: 10_000, length: shown, analyses }[figures]
  return { total, from: 0, to: shown, limit }
}

const itemOf = (item: Purchase[]) => ({
  documentNumber: item[0]!.document,
  documentType: 'CPF',
  createdAt: item[0]!.text,
  deletedAt: item[0]!.deletedAt === null ? '' : 'deleted',
  consume: item.length,
  userPlanConsumeUniqueId: item[0]!.uniqueId,
  userPlanConsumeAnalytics: item.map((p) => ({
    userPlanConsumeAnalyticsId: p.id,
    userPlanConsumeUniqueId: p.uniqueId,
    createdAt: p.text,
    deletedAt: p.deletedAt === null ? null : 'deleted',
    status: 'DONE',
  })),
})
