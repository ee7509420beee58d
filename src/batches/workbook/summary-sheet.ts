import { formatCents, type Price } from '../../domain/amount.ts'
import { localMinute } from '../../domain/calendar.ts'
import { type Classification, classifications, riskLevels } from '../../domain/classifications.ts'
import type { NameMatch } from '../../domain/name-match.ts'
import { textCell, type WrittenCell } from '../../files/xlsx/write/cell-xml.ts'
import type { BarChart } from '../../files/xlsx/write/chart-xml.ts'
import type { CellEmphasis, CellLook } from '../../files/xlsx/write/styles-xml.ts'
import type { SheetToWrite } from '../../files/xlsx/write-workbook.ts'
import type { WorkbookLabels } from '../../messages/labels.ts'
import { term } from '../../messages/term.ts'
import type { Batch } from '../../store/batches/batches.ts'
import type { RiskTotals } from '../../store/batches/risk.ts'
import type { Spend } from '../manifest.ts'
import { showsRisk } from '../result-columns.ts'
import { outcomeEmphasis, type RowOutcome, riskEmphasis } from './sheet-results.ts'

type Summary = {
  fileName: string
  /** Whether each row is asked about several documents: then those are counted, not rows. */
  several: boolean
  outcomes: readonly RowOutcome[]
  /** How the names of the rows compare with the registry's. */
  names: Record<NameMatch, number>
  spend: Spend
  price: Price | null
  /** For an analysis only. */
  totals: RiskTotals | null
}

/** The result of a batch on one page: rows by outcome and risk, cost, and totals per class with a chart. */
export const summarySheet = (summary: Summary, labels: WorkbookLabels): SheetToWrite => {
  const before = [
    ...headRows(summary, labels),
    ...outcomeRows(summary, labels),
    ...riskRows(summary, labels),
    ...nameRows(summary, labels),
    ...spendRows(summary, labels),
  ]
  const { totals } = summary
  const rows = totals ? [...before, ...classRows(totals, labels)] : before
  const sheet = {
    name: labels.sheets.summary,
    columns: [38, 16, 16, 22, 4, 12].map((width) => ({ width })),
    rows: { cells: rows },
  }
  return totals && totals.documents > 0 ? { ...sheet, chart: classChart(totals, before.length + 2, labels) } : sheet
}

type Row = WrittenCell[]

const number = (value: number | string, look: CellLook = 'integer'): WrittenCell => ({
  text: `${value}`,
  type: 'n',
  look,
})
/** An empty cell, not a zero, if there is no figure. */
const figure = (value: number | bigint | null | undefined): WrittenCell =>
  value == null ? textCell('') : number(`${value}`)
/** The border spans all columns, even those without a name. */
const section = (name: string, ...figures: string[]): Row => [
  textCell(name, 'section'),
  ...Array.from({ length: 3 }, (_, at) => textCell(figures[at] ?? '', 'figures')),
]

const headRows = ({ fileName, outcomes }: Summary, labels: WorkbookLabels): Row[] => [
  [textCell(labels.title(fileName), 'title')],
  ...(outcomes.some(({ state }) => state === 'pending')
    ? [[textCell(labels.summary.partial, 'text', 'attention')]]
    : []),
  [],
]

const countedIn = ({ several }: Summary, { summary }: WorkbookLabels) => (several ? summary.documents : summary.rows)

const outcomeRows = (from: Summary, labels: WorkbookLabels): Row[] => {
  const { summary, terms } = labels
  const states = sumBy(from.outcomes, ({ state }) => state)
  const largestFirst = [...states].sort(([, a], [, b]) => b - a)
  const all = sumOf(states)
  return [
    section(summary.outcomes(countedIn(from, labels)), countedIn(from, labels), summary.share),
    ...largestFirst.map(([state, rows]) => shareRow(term(terms.outcomes, state), rows, all, outcomeEmphasis(state))),
    [textCell(summary.total), number(all, 'total')],
    [],
  ]
}

const shareRow = (name: string, rows: number, all: number, emphasis: CellEmphasis = 'none'): Row => [
  textCell(name, 'text', emphasis),
  number(rows),
  number(all > 0 ? rows / all : 0, 'share'),
]

const riskRows = (from: Summary, labels: WorkbookLabels): Row[] => {
  const { summary, risks } = labels
  const levels = sumBy(from.outcomes, ({ risk }) => risk)
  levels.delete(null)
  if (levels.size === 0) return []
  const all = sumOf(levels)
  return [
    section(summary.risk(countedIn(from, labels)), countedIn(from, labels), summary.share),
    ...riskLevels.map((level) => shareRow(risks[level], levels.get(level) ?? 0, all, riskEmphasis(level))),
    [],
  ]
}

const nameRows = ({ names }: Summary, { summary, terms }: WorkbookLabels): Row[] => {
  const all = names.same + names.similar + names.different
  if (all === 0) return []
  const emphasis = names.different > 0 ? 'attention' : 'none'
  return [
    section(summary.names, summary.rows, summary.share),
    shareRow(summary.namesDiffer(names.different), names.different, all, emphasis),
    ...(['similar', 'same'] as const).map((match) => shareRow(terms.nameMatches[match], names[match], all)),
    [],
  ]
}

const spendRows = ({ spend, price }: Summary, { summary }: WorkbookLabels): Row[] => [
  section(summary.spend, summary.units),
  [textCell(summary.charged), number(spend.charged)],
  ...(spend.open > 0 ? [[textCell(summary.open), number(spend.open)]] : []),
  ...(spend.unknown > 0 ? [[textCell(summary.unknown), number(spend.unknown)]] : []),
  ...(spend.limit === null ? [] : [[textCell(summary.limit), number(spend.limit)]]),
  ...(price
    ? [[textCell(summary.price(price.currency)), number(formatCents(BigInt(price.cents), '.'), 'amount')]]
    : []),
  [],
]

const classRows = ({ holders, counts, cents }: RiskTotals, { summary, terms }: WorkbookLabels): Row[] => [
  section(summary.classes, summary.documents, summary.lawsuits, summary.amount),
  ...classifications.map((key, i) => [
    textCell(terms.classifications[key]),
    figure(holders[i]),
    figure(counts[i]),
    cents[i] == null ? textCell('') : number(formatCents(cents[i], '.'), 'amount'),
  ]),
  [textCell(summary.classesNote, 'note')],
]

/** All lawsuits together would dwarf the classes that they fall into, so the chart leaves them out. */
const classChart = ({ counts, cents }: RiskTotals, allRow: number, { summary, terms }: WorkbookLabels): BarChart => {
  const hasAmounts = cents.some((each, i) => i > 0 && each !== null && each > 0n)
  const bar = (each: bigint | null, unit: number) => (each === null ? null : Number(each) / unit)
  const figures = hasAmounts ? cents.map((each) => bar(each, 100)) : counts.map((each) => bar(each, 1))
  return {
    title: hasAmounts ? summary.chart : summary.chartOfCounts,
    labels: { column: 1, values: classifications.slice(1).map((key) => terms.classifications[key]) },
    figures: {
      column: hasAmounts ? 4 : 3,
      values: figures.slice(1),
      name: hasAmounts ? summary.amount : summary.lawsuits,
    },
    firstRow: allRow + 1,
    at: { column: 6, row: 3 },
    to: { column: 16, row: 40 },
  }
}

const sumBy = <Key>(outcomes: readonly RowOutcome[], key: (outcome: RowOutcome) => Key): Map<Key, number> => {
  const sums = new Map<Key, number>()
  for (const outcome of outcomes) sums.set(key(outcome), (sums.get(key(outcome)) ?? 0) + outcome.rows)
  return sums
}

const sumOf = (sums: Map<unknown, number>): number => sums.values().reduce((sum, rows) => sum + rows, 0)

type TextContext = { timezone: string; now: Date }

/** The origin, the date and the terms of a report, for readers who have nothing but the workbook. */
export const aboutSheet = (batch: Batch, context: TextContext, labels: WorkbookLabels): SheetToWrite => ({
  name: labels.sheets.about,
  columns: [30, 36, 84].map((width) => ({ width })),
  rows: { cells: [...factRows(batch, context, labels), ...meaningRows(batch, labels)] },
})

const cell = (text: string, emphasis?: CellEmphasis): WrittenCell => textCell(text, 'label', emphasis)
const empty = cell('')

const factRows = (batch: Batch, { timezone, now }: TextContext, labels: WorkbookLabels): Row[] => {
  const { about, terms } = labels
  const moment = (at: Date | null): WrittenCell =>
    at ? { text: `${localMinute(at, timezone).replace('T', ' ')}:00`, type: 'D', look: 'moment' } : cell('–')
  const facts: [string, WrittenCell][] = [
    [about.file, cell(batch.fileName ?? batch.name)],
    [about.sha256, cell(batch.sha256 ?? '–')],
    [about.batch, cell(`${batch.id}`)],
    [about.state, cell(terms.batchStates[batch.shown])],
    [about.kind, cell(terms.kinds[batch.kind])],
    [about.organization, cell(`${batch.organizationId}`)],
    [about.submitted, moment(batch.createdAt)],
    [about.started, moment(batch.startedAt)],
    [about.finished, moment(batch.finishedAt)],
    [about.exported, moment(now)],
    [about.timezone, cell(timezone)],
  ]
  return [
    [textCell(labels.title(batch.fileName ?? batch.name), 'title')],
    [],
    ...facts.map(([name, value]) => [cell(name), value]),
    [],
    [cell(about.from)],
    [cell(about.empty)],
    [],
  ]
}

const meaningRows = ({ kind }: Batch, labels: WorkbookLabels): Row[] => {
  const { about, terms, outcomes, risks, riskMeanings, classes } = labels
  const head = (name: string) => [name, about.code, about.meaning].map((each) => textCell(each, 'section'))
  const states = Object.entries(outcomes).map(([state, meaning]) => [
    cell(term(terms.outcomes, state), outcomeEmphasis(state)),
    cell(state),
    textCell(meaning, 'prose'),
  ])
  const levels = riskLevels.map((level) => [
    cell(risks[level], riskEmphasis(level)),
    empty,
    textCell(riskMeanings[level], 'prose'),
  ])
  const classRow = (key: Classification) => [
    cell(terms.classifications[key]),
    cell(key),
    textCell(classes[key], 'prose'),
  ]
  return [
    head(about.outcomes),
    ...states,
    ...(showsRisk(kind) ? [[], head(about.risks), ...levels] : []),
    ...(kind === 'analysis'
      ? [[], head(about.classes), ...classifications.map(classRow), [cell(about.classesNote)]]
      : []),
  ]
}
