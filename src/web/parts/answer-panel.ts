import { classifications, isRiskClass } from '../../domain/classifications.ts'
import type { Kind } from '../../domain/kind.ts'
import { maskedPair, type Pair, readableKey } from '../../domain/readable-pairs.ts'
import { term } from '../../messages/term.ts'
import {
  type AnswerRow,
  type ClassFigures,
  classesOf,
  factsOf,
  figuresIn,
  leadingClasses,
  toAnswerView,
} from '../../views/answer.ts'
import { type Html, html, type Part } from '../../writing/html.ts'
import type { Visit } from '../visit.ts'
import { facts, figures } from './facts.ts'

type Shown = { kind: Kind; seen: string | null; revealed?: boolean }

/** The registry's answer about a document: figures first, then each class, or the names and values that it sent. */
export const answerPanel = (visit: Visit, answer: AnswerRow, shown: Shown): Html =>
  html`${figuresPanel(visit, answer, shown)}${fieldsPanel(visit, answer, shown)}`

const figuresPanel = (visit: Visit, answer: AnswerRow, { kind, seen, revealed = false }: Shown): Html => {
  const { labels, format } = visit
  if (kind === 'analysis') return analysisPanel(visit, answer)
  if (kind === 'processes') {
    return figures([[labels.risk.lawsuits, format.count(answer.total)]])
  }
  const pairs = factsOf(answer, kind).map((pair) => (revealed ? pair : maskedPair(pair)))
  return facts([
    ...(kind === 'cnh' ? [[labels.rows.seen, seen && html`<code>${format.text(seen)}</code>`] as const] : []),
    ...pairs.map((pair) => [keyName(visit, pair.path), valueText(visit, pair)] as const),
  ])
}

/** What the registry sent beside the figures: what people read is open, the rest folded away. */
const fieldsPanel = (visit: Visit, answer: AnswerRow, { kind, revealed }: Shown): Part => {
  const { labels, format } = visit
  const { name, terms, protestStatus, debtorStatus, estimated, previousId, plan, stored, fields } = toAnswerView(
    answer,
    kind,
    revealed,
  )
  const text = (value: string | null) => value && (revealed ? value : format.text(value))
  const read = facts([
    [labels.answer.registryName, name],
    [labels.answer.terms, terms.map(text).join(' · ')],
  ])
  const entries = [
    [labels.answer.protestStatus, text(protestStatus)],
    [labels.answer.debtorStatus, text(debtorStatus)],
    [labels.answer.estimated, estimated === null ? null : format.count(estimated)],
    [labels.answer.previous, text(previousId)],
    [labels.answer.plan, text(plan)],
    ...Object.entries(stored).map(
      ([key, value]) => [labels.answer.stored[key as keyof typeof stored], text(value)] as const,
    ),
    ...pairFacts(visit, fields),
  ] as const
  const rest = entries.some(([, value]) => value !== null && value !== '')
  return html`${(name || terms.length > 0) && read}
    ${rest && html`<details><summary>${labels.answer.otherFields}</summary>${facts(entries)}</details>`}`
}

const analysisPanel = (visit: Visit, answer: AnswerRow): Html => {
  const { labels, format } = visit
  const all = figuresIn(answer, 'ALL').count
  const of = all === null ? null : labels.answer.ofAll(format.count(all))
  const lead = leadingClasses.map((key) => {
    const found = figuresIn(answer, key)
    const hint = `${format.count(found.count)} ${of ?? ''}`
    return [labels.terms.classifications[key], amountText(visit, found), hint, (found.count ?? 0) > 0 && 'bad'] as const
  })
  return html`${figures(lead)}${classTable(visit, classesOf(answer))}`
}

/** The classes with their counts, amounts and bars; those with nothing are folded away. Bars use SVG attributes, because the page allows no inline style. */
const classTable = (visit: Visit, classes: ClassFigures[]): Html => {
  const [none, some] = [classes.filter(isNothing), classes.filter((each) => !isNothing(each))]
  return html`${some.length > 0 && classRows(visit, some)}
    ${none.length > 0 && html`<details class="zeros"><summary>${visit.labels.answer.zeros(visit.format.count(none.length))}</summary>${classRows(visit, none)}</details>`}`
}

const isNothing = ({ count, cents }: ClassFigures): boolean => count === 0 && cents === 0n

const classRows = (visit: Visit, classes: ClassFigures[]): Html => {
  const { labels } = visit
  const most = classes.reduce((max, { cents }) => (cents !== null && cents > max ? cents : max), 1n)
  const group = (title: string, risk: boolean) => {
    const rows = classes.filter(({ key }) => isRiskClass(key) === risk)
    return (
      rows.length > 0 &&
      html`<tbody><tr class="group"><th scope="rowgroup" colspan="4">${title}</th></tr>
      ${rows.map((each) => classRow(visit, each, most))}</tbody>`
    )
  }
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="${labels.answer.title}"><table class="dense classes"><thead><tr><th scope="col">${labels.risk.classification}</th>
    <th scope="col" class="number">${labels.risk.lawsuits}</th><th scope="col" class="number">${labels.risk.amount}</th><th class="optional" aria-hidden="true"></th></tr></thead>
    ${group(labels.answer.atRisk, true)}${group(labels.answer.others, false)}</table></div>`
}

const classRow = (visit: Visit, figures: ClassFigures, most: bigint): Html => {
  const { key, count, cents, searched } = figures
  const { labels, format } = visit
  return html`<tr><th scope="row">${labels.terms.classifications[key]}</th>
    <td class="number">${count === null && !searched ? labels.terms.notSearched : format.count(count)}</td><td class="number">${amountText(visit, figures)}</td>
    <td class="bar-cell optional" aria-hidden="true">${amountBar(cents ?? 0n, most, isRiskClass(key))}</td></tr>`
}

/** A share of the largest amount as a horizontal bar. */
const amountBar = (cents: bigint, most: bigint, risk: boolean): Html => {
  const width = cents <= 0n ? 0 : Math.max(4, Number((cents * 1000n) / (most > 0n ? most : 1n)))
  return html`<svg class="amount-bar" viewBox="0 0 1000 10" preserveAspectRatio="none"><rect class="${risk ? 'risk' : 'plain'}" x="0" y="0" width="${width}" height="10"/></svg>`
}

const amountText = ({ format }: Visit, { cents, amount }: Pick<ClassFigures, 'cents' | 'amount'>): string =>
  cents === null && amount !== null ? format.text(amount) : format.cents(cents)

/** The main result of a kind in one cell of a table. */
export const resultCell = (
  visit: Visit,
  answer: AnswerRow | null,
  { kind, seen }: { kind: Kind | null; seen: string | null },
): Part => {
  if (!answer || !kind) return null
  const { labels, format } = visit
  if (kind === 'analysis') return threatCell(visit, answer)
  if (kind === 'processes') return html`${format.count(answer.total)} <small>${labels.risk.lawsuits}</small>`
  if (kind === 'cnh') return seen && format.text(seen)
  const pairs = factsOf(answer, kind)
    .map(maskedPair)
    .filter(({ path }) => path.at(-1) !== 'document')
  return pairs
    .slice(0, 3)
    .map(
      (pair) =>
        html`<small class="pair">${keyName(visit, pair.path)}: <strong>${valueText(visit, pair)}</strong></small>`,
    )
}

/**
 * The leading risk classes above zero, one per line; if there are none, the largest of the other risk classes. It says
 * that there is no risk only if the registry sent every figure of risk.
 */
const threatCell = (visit: Visit, answer: AnswerRow): Html => {
  const { labels, format } = visit
  const some = ({ count, cents }: ClassFigures) => (count ?? 0) > 0 || (cents ?? 0n) > 0n
  const leading = leadingClasses.map((key) => figuresIn(answer, key)).filter(some)
  const others = classifications.filter(isRiskClass).map((key) => figuresIn(answer, key))
  const largest = others.filter(some).sort((a, b) => Number((b.cents ?? 0n) - (a.cents ?? 0n)))
  const present = leading.length > 0 ? leading : largest.slice(0, 1)
  const isShown = others.every(({ count, cents }) => count !== null && cents !== null)
  if (present.length === 0)
    return html`<small>${isShown ? labels.answer.nothingAtRisk : unsearchedText(visit, others)}</small>`
  return html`${present.map((found) => html`<span class="threat"><strong>${amountText(visit, found)}</strong> <small>${labels.terms.classifications[found.key]} · ${format.count(found.count)}</small></span>`)}`
}

/** Nothing was found, and not everything was looked for. */
const unsearchedText = ({ labels }: Visit, others: readonly ClassFigures[]): string => {
  const names = others.filter(({ searched }) => !searched).map(({ key }) => labels.terms.classifications[key])
  return names.length > 0 ? `${labels.terms.notSearched}: ${names.join(', ')}` : '–'
}

/** Fields by the names that the registry chose. */
export const pairFacts = (visit: Visit, pairs: Pair[]): [string, string][] =>
  pairs.map((pair) => [keyName(visit, pair.path), valueText(visit, pair)])

const keyName = ({ labels }: Visit, path: string[]): string =>
  path
    .map((key) => (Object.hasOwn(labels.answer.keys, key) ? term(labels.answer.keys, key) : sentence(readableKey(key))))
    .join(' · ')

const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A number between these is a moment in milliseconds: 2001 to 2096. An amount of that size comes as text. */
const [firstEpoch, lastEpoch] = [1e12, 4e12]

const valueText = ({ labels, format }: Visit, { value }: Pair): string => {
  if (value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? labels.shell.yes : labels.shell.no
  if (typeof value === 'number' && value >= firstEpoch && value < lastEpoch) return format.moment(value)
  if (typeof value === 'number') return Number.isInteger(value) ? format.count(value) : String(value)
  return /^\d{4}-\d\d-\d\d$/.test(value) ? format.day(value) : format.decimal(value)
}
