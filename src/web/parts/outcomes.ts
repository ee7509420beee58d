import { type Exposure, exposureOf } from '../../domain/exposure.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Labels } from '../../messages/labels.ts'
import { term } from '../../messages/term.ts'
import { type AnswerRow, searchedFigures } from '../../views/answer.ts'
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

/** What an answer about lawsuits says, in one sentence; null for other kinds. */
export const verdictLine = (visit: Visit, answer: AnswerRow, kind: Kind): Html | null => {
  if (kind === 'analysis' && answer.counts) return sentence(riskVerdict(visit, exposureOf(searchedFigures(answer))))
  if (kind === 'processes' && answer.total !== null) return sentence(countVerdict(visit, answer.total))
  return null
}

type Verdict = { text: string; tone: 'good' | 'warn' | 'bad' | '' }

const sentence = ({ text, tone }: Verdict): Html => html`<p class="verdict ${tone}">${text}</p>`

const countVerdict = ({ labels, format }: Visit, total: number): Verdict =>
  total === 0
    ? { text: labels.verdict.clear, tone: 'good' }
    : { text: labels.verdict.counted(format.count(total), total !== 1), tone: '' }

const riskVerdict = (visit: Visit, exposure: Exposure): Verdict => {
  const { labels, format } = visit
  const { level, lawsuits } = exposure
  if (level === 'risk') return { text: atRisk(visit, exposure), tone: 'bad' }
  if (level === 'clear') return { text: labels.verdict.clear, tone: 'good' }
  if (level === 'lawsuits') return { text: labels.verdict.lawsuits(format.count(lawsuits), lawsuits !== 1), tone: '' }
  return { text: labels.verdict.unclear, tone: 'warn' }
}

/** `3 lawsuits with risk, 1 protest, R$1.2M` */
const atRisk = ({ labels, format }: Visit, { lawsuits, protests, cents }: Exposure): string =>
  [
    lawsuits > 0 && labels.verdict.risk(format.count(lawsuits), lawsuits !== 1),
    protests > 0 && labels.verdict.protests(format.count(protests), protests !== 1),
    cents !== null && cents > 0n && format.roundCents(cents),
  ]
    .filter(Boolean)
    .join(', ')
