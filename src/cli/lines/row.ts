import { formatPrice } from '../../domain/amount.ts'
import { readableKey } from '../../domain/readable-pairs.ts'
import type { AnswerShown } from '../../views/answer.ts'
import type { OwnRow } from '../../views/own-row.ts'
import type { LookupHistoryView, RowHistory } from '../../views/row-history.ts'
import { localMoment, number, renderFacts } from './phrases.ts'
import { renderTable } from './table.ts'

/** One row for people: what the registry said, what the file says, and how it travelled. */
export const renderRowHistory = (view: RowHistory, timezone: string): string => {
  const { batch, line, lookup, story: history, answer, file, ...row } = view
  const at = (time: string | null) => localMoment(time, timezone)
  const head = renderFacts([
    ['Row', `line ${line} of batch ${batch}`],
    ['State', row.state],
    ['Detail', row.detail],
    ['Document', row.document],
    ['Name', file?.name],
    ['Reference', file?.ref],
    ['Repaired', row.repair],
  ])
  const travel = renderFacts([
    ['Look-up', lookup && `${lookup.id} (${lookup.kind}, organization ${lookup.organization})`],
    ['Charged', lookup && `${lookup.charged}${row.pays ? '' : ' (by another row)'}`],
    ['Registry id', lookup?.remoteId],
    ['Last status', lookup?.seen],
    ['As of', lookup && at(lookup.asOf)],
    ['Deadline', lookup && at(lookup.deadline)],
  ])
  const travelled = [travel, historyLines(history, timezone)].filter((part) => part !== '').join('\n\n')
  return [
    head,
    ...(answer ? [titled('The registry said', answerLines(answer))] : []),
    ...(file ? [titled('The file says', ownLines(file))] : []),
    ...(travelled ? [titled('How it travelled', travelled)] : []),
  ].join('\n\n')
}

/** A look-up that no row leads to. */
export const renderLookupHistory = (
  { lookup, state, charged, story: history }: LookupHistoryView,
  timezone: string,
): string => `Look-up ${lookup} is ${state}, charged: ${charged}\n${historyLines(history, timezone)}`

const historyLines = (history: RowHistory['story'], timezone: string): string =>
  history.map(({ at, what }) => `  ${localMoment(at, timezone)}  ${what}`).join('\n')

const titled = (title: string, text: string): string => `${title}\n${text}`

/** Classes of which there are none are left out, but for those that an analysis is read for. A figure that is missing is no zero. */
export const answerLines = ({ classes, total, facts: pairs, spreadsheet }: AnswerShown): string => {
  const present = (classes ?? []).filter(({ key, ...figures }) => key === 'ALL' || !isNone(figures))
  const rows = present.map(({ key, count, value, atRisk }) => [
    key,
    count === null ? '–' : number(count),
    amountOf(value),
    atRisk ? 'at risk' : '',
  ])
  return [
    ...(classes ? [renderTable(classColumns, rows)] : []),
    ...(total === null ? [] : [`Court cases  ${number(total)}`]),
    ...(pairs.length > 0
      ? [renderFacts(pairs.map(({ path, value }) => [path.map(readableKey).join(' · '), String(value ?? '–')]))]
      : []),
    ...(spreadsheet ? ["The registry has a spreadsheet of it: the row's page fetches it"] : []),
  ].join('\n')
}

/** The registry counts none, and says so. */
export const isNone = ({ count, value }: { count: number | null; value: string | null }): boolean =>
  count === 0 && value === '0.00'

const classColumns = [
  { title: 'CLASS' },
  { title: 'CASES', align: 'right' },
  { title: 'AMOUNT', align: 'right' },
  { title: '' },
] as const

const amountOf = (value: string | null): string =>
  value !== null && /^-?\d+\.\d\d$/.test(value) && value.length < 17
    ? formatPrice({ cents: Number(value.replace('.', '')), currency: 'BRL' }, 'en')
    : (value ?? '–')

const ownLines = ({ cells }: OwnRow): string =>
  renderFacts(cells.map(({ column, text }, at) => [column ?? `column ${at + 1}`, text]))
