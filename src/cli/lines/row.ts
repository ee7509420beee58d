import { formatPrice } from '../../domain/amount.ts'
import { readableKey } from '../../domain/readable-pairs.ts'
import type { AnswerShown } from '../../views/answer.ts'
import type { LookupHistoryView, RowHistory } from '../../views/row.ts'
import { type Column, joined, localMoment, number, renderFacts, renderPairs, renderTable } from './texts.ts'

/** One row for people: the answer of the registry, the cells of the file, and the history. */
export const renderRowHistory = (view: RowHistory, timezone: string): string => {
  const { batch, line, column, columns, lookup, story: history, answer, file, ...row } = view
  const at = (time: string | null) => localMoment(time, timezone)
  const head = renderFacts({
    Row: `line ${line} of batch ${batch}`,
    Column: column,
    Others: columns.length > 0 ? columns.filter((each) => each !== column).join(', ') : null,
    State: row.state,
    Detail: row.detail,
    Document: row.document,
    Name: file?.name,
    'Name compared': view.nameMatch && `${view.nameMatch.match} (${view.nameMatch.rule})`,
    Reference: file?.ref,
    Authorization: file?.authorization,
    Repaired: row.repair,
  })
  const travel = renderFacts({
    'Look-up': lookup && `${lookup.id} (${lookup.kind}, organization ${lookup.organization})`,
    Charged: lookup && `${lookup.charged}${row.pays ? '' : ' (by another row)'}`,
    'Registry id': lookup?.remoteId,
    'Last status': lookup?.seen,
    'Court cases':
      answer || lookup?.estimated == null ? null : `${number(lookup.estimated)}, as the registry estimates`,
    'As of': lookup && at(lookup.asOf),
    Deadline: lookup && at(lookup.deadline),
  })
  const travelled = joined([travel, historyLines(history, timezone)], '\n\n')
  const cells = file?.cells.map(({ column, text }, at) => [column ?? `column ${at + 1}`, text] as const)
  const parts = [
    head,
    answer && `Answer of the registry\n${answerLines(answer)}`,
    cells && `Cells of the file\n${renderPairs(cells)}`,
    travelled && `History\n${travelled}`,
  ]
  return joined(parts, '\n\n')
}

/** A look-up without a row, such as one of a sweep. */
export const renderLookupHistory = (
  { lookup, state, charged, story: history }: LookupHistoryView,
  timezone: string,
): string => `Look-up ${lookup} is ${state}, charged: ${charged}\n${historyLines(history, timezone)}`

const historyLines = (history: RowHistory['story'], timezone: string): string =>
  history.map(({ at, what }) => `  ${localMoment(at, timezone)}  ${what}`).join('\n')

/** Leaves out the classes with no cases, except the total. A missing figure is not a zero. */
export const answerLines = (answer: AnswerShown): string => {
  const { classes, total, facts: pairs, spreadsheet } = answer
  const present = (classes ?? []).filter(({ key, ...figures }) => key === 'ALL' || !isNone(figures))
  const lines = [
    classes && renderTable(present, classColumns),
    total !== null && `Court cases  ${number(total)}`,
    renderPairs(pairs.map(({ path, value }) => [path.map(readableKey).join(' · '), String(value ?? '–')])),
    // What people read beside the figures; `--json` has every field.
    renderFacts({
      'Name at the registry': answer.name,
      'Important terms': answer.terms.join(' | '),
      'Search for protests': answer.protestStatus,
    }),
    spreadsheet && "The registry has a spreadsheet of it: download it on the row's page",
  ]
  return joined(lines, '\n')
}

/** The registry reported zero cases; a missing figure is not that. */
export const isNone = ({ count, value }: { count: number | null; value: string | null }): boolean =>
  count === 0 && value === '0.00'

const classColumns: Column<NonNullable<AnswerShown['classes']>[number]>[] = [
  ['CLASS', ({ key }) => key],
  ['CASES', ({ count, searched }) => (count === null ? (searched ? '–' : 'not searched') : number(count)), 'right'],
  ['AMOUNT', ({ value }) => amountOf(value), 'right'],
  ['', ({ atRisk }) => (atRisk ? 'at risk' : '')],
]

const amountOf = (value: string | null): string =>
  value !== null && /^-?\d+\.\d\d$/.test(value) && value.length < 17
    ? formatPrice({ cents: Number(value.replace('.', '')), currency: 'BRL' }, 'en')
    : (value ?? '–')
