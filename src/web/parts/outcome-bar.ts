import type { Labels } from '../../messages/labels.ts'
import { term } from '../../messages/term.ts'
import { type Html, html } from '../../writing/html.ts'
import type { Visit } from '../visit.ts'

/** The order of outcomes in the bar: good ones first, those that need a person last. */
const order = [
  'ok',
  'not_found',
  'invalid_document',
  'rejected',
  'cancelled',
  'over_budget',
  'timed_out',
  'failed',
  'denied',
  'plan_blocked',
  'unknown_outcome',
  'pending',
]

const presentOutcomes = (counts: Record<string, number>, total: number): [string, number][] => {
  const ended = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const all: Record<string, number> = { ...counts, pending: total - ended }
  return order.flatMap((outcome) => ((all[outcome] ?? 0) > 0 ? [[outcome, all[outcome] as number]] : []))
}

/** The outcomes of the rows as one bar. It uses SVG attributes, because the page allows no inline style. */
export const outcomeBar = ({ labels }: Visit, counts: Record<string, number>, total: number): Html => {
  let at = 0
  const pieces = presentOutcomes(counts, total).map(([outcome, count]) => {
    const width = (count / Math.max(1, total)) * 1000
    const piece = html`<rect class="outcome-${outcome}" x="${at.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="10"><title>${term(labels.terms.outcomes, outcome)}</title></rect>`
    at += width
    return piece
  })
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>`
}

/** `bar`: whether the legend has its bar above it; a running batch has its progress instead. */
type Filter = { counts: Record<string, number>; total: number; address: string; chosen?: string; bar: boolean }

/** The outcomes of the rows; each links to its rows. */
export const outcomeFilter = (
  visit: Visit,
  { counts, total, address, chosen, bar }: Filter,
): Html => html`${bar && outcomeBar(visit, counts, total)}
<ul class="legend">${presentOutcomes(counts, total).map(
  ([outcome, count]) => html`<li><a href="${address}?outcome=${outcome}#rows"${
    outcome === chosen && html` aria-current="true"`
  }><svg class="dot" viewBox="0 0 10 10" aria-hidden="true"><circle class="outcome-${outcome}" cx="5" cy="5" r="5"/></svg>
    ${term(visit.labels.terms.outcomes, outcome)} <strong>${visit.format.count(count)}</strong></a></li>`,
)}</ul>`

export const stateBadge = ({ terms }: Labels, state: string): Html =>
  html`<span class="badge state-${state}">${term(terms.batchStates, state)}</span>`

export const outcomeBadge = ({ terms }: Labels, outcome: string): Html =>
  html`<span class="badge outcome outcome-${outcome}">${term(terms.outcomes, outcome)}</span>`
