import { type Classification, classifications, isRiskClass } from '../../domain/classifications.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Sql } from '../connect.ts'
import { readCopy } from '../copy.ts'
import { ifShown, literal, resultRows } from './result-rows.ts'
import { comparesNames } from './results.ts'

/** The numbers by which cells refer to their styles in the workbook. */
type SheetStyles = Record<'text' | 'integer' | 'amount' | 'dateTime', number>

/** `notSearched` is the text in place of the figures of a class that was not searched. */
type SheetFormat = { kind: Kind; timezone: string; styles: SheetStyles; notSearched: string }

/**
 * Streams the rows of a batch, in the order of its file, a line each: where the row is, how it ended (state, risk,
 * charge, repairs, its message and why it was rejected), and the cells of its answer, already written as XML.
 *
 * PostgreSQL writes the cells, as it does for CSV; texts are left to the reader, which knows the language.
 */
export const streamSheetResults = (sql: Sql, batchId: bigint, format: SheetFormat): AsyncIterable<Buffer> =>
  readCopy(
    sql,
    `
    copy (
      select r.line, r.start_at, r.size,
             vigia.row_outcome(r, l), ${riskOf(format.kind)}, vigia.row_charge(r, l, i), r.repair,
             vigia.row_message(r, l), case when vigia.row_message(r, l) is null then vigia.row_detail(r, l) end, r.reject_reason,
             ${comparesNames(format.kind) ? `coalesce(${ifShown('l.registry_name')}, '')` : `''`},
             ${cellsBefore(format)}, ${comparesNames(format.kind) ? `concat(${kindCells(format).join(', ')})` : `''`}
        ${resultRows(batchId)}
       order by r.line
    ) to stdout`,
  )

/** Streams the rejected rows of a batch, a line each: where the row is, its reason and its message. */
export const streamSheetRejects = (sql: Sql, batchId: bigint): AsyncIterable<Buffer> =>
  readCopy(
    sql,
    `
    copy (
      select r.line, r.start_at, r.size, r.reject_reason, r.message, case when r.message is null then r.reject_detail end
        from vigia.batch_row r
       where r.batch_id = ${batchId} and r.reject_reason is not null
       order by r.line
    ) to stdout`,
  )

/** A code of `RiskLevel`; nothing if the answer does not show it, for example if the count of a risk class is missing. */
const riskOf = (kind: Kind): string => {
  if (kind === 'processes') return `case when a.total > 0 then 'lawsuits' when a.total = 0 then 'clear' end`
  if (kind !== 'analysis') return 'null'
  const risks = classifications.filter(isRiskClass).map(counted)
  return `case when greatest(${risks.join(', ')}) > 0 then 'risk' when num_nulls(${risks.join(', ')}) > 0 then null
               when ${counted('ALL')} > 0 then 'lawsuits' when ${counted('ALL')} = 0 then 'clear' end`
}

/** A zero of a class that was not searched is no figure. */
const counted = (key: Classification): string => {
  const count = `a.counts[${classifications.indexOf(key) + 1}]`
  const status = searchOf[key]
  return status ? `case when vigia.is_searched(${status}) or ${count} > 0 then ${count} end` : count
}

/** The column that says whether the search of a class of its own was made. */
const searchOf: Partial<Record<Classification, string>> = {
  RISK_PROTEST: 'a.protest_status',
  RISK_DEBTOR: 'a.debtor_status',
}

const cellsBefore = (format: SheetFormat): string => {
  const { styles, timezone } = format
  const asOf = `date_trunc('second', ${ifShown('l.as_of')} at time zone ${literal(timezone)})`
  const cells = [
    textCell('l.question', styles.text),
    numberCell(`(extract(epoch from ${asOf} - timestamp '1899-12-30') / 86400)::float8`, styles.dateTime),
    textCell(ifShown('l.remote_id'), styles.text),
  ]
  const rest = comparesNames(format.kind) ? [textCell(ifShown('l.registry_name'), styles.text)] : kindCells(format)
  return `concat(${[...cells, ...rest].join(', ')})`
}

const kindCells = ({ kind, styles, notSearched }: SheetFormat): string[] => {
  switch (kind) {
    case 'analysis':
      return [
        textCell('a.protest_status', styles.text),
        textCell(`array_to_string(a.important_terms, ' | ')`, styles.text),
        figures(styles, notSearched),
      ]
    case 'cnh':
      return [textCell(ifShown('l.seen'), styles.text), textCell('a.data::text', styles.text)]
    case 'scr':
      return [textCell('a.data::text', styles.text)]
    case 'processes':
      return [numberCell('a.total', styles.integer)]
    case 'radar':
      return [
        textCell(`(a.data ->> 'radarId')`, styles.text),
        `case a.data ->> 'active' when 'true' then '<c t="b"><v>1</v></c>' when 'false' then '<c t="b"><v>0</v></c>' else '<c/>' end`,
      ]
    case 'inactivation':
      return [textCell(`(a.data ->> 'status')`, styles.text)]
  }
}

/**
 * Twenty counts and amounts. Nearly every answer has all of them, and then they are joined without checking each. If some
 * are missing, or an amount is a text that could not be read, each is checked.
 */
const figures = ({ integer, amount, text }: SheetStyles, notSearched: string): string => {
  const cells = classifications.flatMap((_, i) => [
    literal(`${i === 0 ? '' : '</v></c>'}<c s="${integer}"><v>`),
    `a.counts[${i + 1}]`,
    literal(`</v></c><c s="${amount}"><v>`),
    `a.cents[${i + 1}] * 0.01`,
  ])
  const single = classifications.flatMap((key, i) => {
    const count = numberCell(`a.counts[${i + 1}]`, integer)
    const value = `case when a.cents[${i + 1}] is not null then ${numberCell(`a.cents[${i + 1}] * 0.01`, amount)}
          else ${textCell(`a.amounts[${i + 1}]`, text)} end`
    const status = searchOf[key]
    if (!status) return [count, value]
    const unsearched = `not vigia.is_searched(${status}) and not coalesce(a.counts[${i + 1}], 0) > 0`
    const marked = textCell(literal(notSearched), text)
    return [
      `case when ${unsearched} then ${marked} else ${count} end`,
      `case when ${unsearched} then ${marked} else ${value} end`,
    ]
  })
  return `case when a.counts is null then ''
               when a.amounts is null and cardinality(a.counts) = 20 and cardinality(a.cents) = 20
                and vigia.is_searched(a.protest_status) and vigia.is_searched(a.debtor_status)
                and array_position(a.counts, null) is null and array_position(a.cents, null) is null
               then concat(${cells.join(', ')}, '</v></c>')
               else concat(${single.join(', ')}) end`
}

/** An empty cell keeps its place. */
const numberCell = (value: string, style: number): string =>
  `coalesce('<c s="${style}"><v>' || ${value} || '</v></c>', '<c/>')`

/** Letters and digits need no escaping, and checking first is ten times as fast as calling the function. */
const textCell = (value: string, style: number): string => {
  const cell = (open: string, content: string) =>
    `'<c s="${style}" t="inlineStr"><is>${open}' || ${content} || '</t></is></c>'`
  return `case when ${value} ~ '[^0-9A-Za-z]' then ${cell('<t xml:space="preserve">', `vigia.sheet_text(${value})`)}
               when ${value} <> '' then ${cell('<t>', value)} else '<c/>' end`
}
