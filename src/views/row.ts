import { z } from 'zod'
import type { Kind } from '../domain/kind.ts'
import type { Charge, LookupState } from '../domain/lookup.ts'
import { type NameComparison, nameMatches, nameRules } from '../domain/name-match.ts'
import { maskLine } from '../log/mask.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import type { Sql } from '../store/connect.ts'
import { firstRow } from '../store/rows.ts'
import { type AnswerRow, answer, answerColumns, mainResult, toAnswerView, toMainResultView } from './answer.ts'
import {
  bigId,
  charged,
  iso,
  kind,
  masked,
  maskedName,
  moment,
  question,
  type RowOf,
  shownMessage,
  shownQuestion,
  text,
  toView,
} from './fields.ts'
import { columnOfPart, type OwnRow, ownRow } from './own-row.ts'

/** A row in a list. */
export const rowLine = z.object({
  line: z.int(),
  column: masked.nullable().describe('which document of the row this is; null where a row has one'),
  document: question.nullable(),
  name: ownRow.shape.name,
  ref: ownRow.shape.ref,
  state: z.string(),
  result: mainResult.describe('the main result of the kind, under its names in a report'),
  rejected: z.string().nullable(),
  detail: masked.nullable(),
  charged,
  asOf: moment.nullable(),
})

/** `own` holds the cells of the row in its file. */
export const toRowView = (batch: { layout: unknown }, row: RowLine, own?: OwnRow): z.output<typeof rowLine> => ({
  line: row.line,
  column: columnOfPart(batch, row.part),
  document: row.question && row.kind && shownQuestion(row.question, row.kind),
  name: own?.name ?? null,
  ref: own?.ref ?? null,
  state: row.outcome,
  result: toMainResultView(row.answer, row.kind, row.seen),
  rejected: row.rejectReason,
  detail: shownMessage(row.message),
  charged: row.charged,
  asOf: iso(row.asOf),
})

/**
 * A row of a batch, or one of its documents where it has several. `outcome` is the state of its look-up, `rejected`, `cancelled` or `pending`. A row that does not
 * show its look-up has no status, date and answer.
 */
export type RowLine = {
  line: number
  /** Which document of the row. */
  part: number
  lookupId: bigint | null
  question: string | null
  outcome: string
  message: Message | null
  rejectReason: string | null
  charged: Charge
  asOf: Date | null
  startAt: bigint
  size: number
  kind: Kind | null
  seen: string | null
  answer: AnswerRow | null
}

export type RowFilter = { outcome?: string; reason?: string }
type RowWindow = { after: number; upTo: number; limit: number }

/**
 * The rows of a stretch of lines, in the order of the file.
 *
 * Rows with a rare outcome are far apart in a large batch. So the caller reads one stretch after the other and stops
 * when it has enough rows or has taken long enough; every stretch takes equally long.
 */
export const readRows = async (
  sql: Sql,
  batchId: bigint,
  filter: RowFilter,
  stretch: RowWindow,
): Promise<RowLine[]> => {
  const rows = await selectRows(sql, batchId, filter, stretch)
  return rows.map(({ answered, ...row }) => ({ ...row, answer: answered ? row : null }))
}

const selectRows = (sql: Sql, batchId: bigint, { outcome, reason }: RowFilter, stretch: RowWindow) => sql<
  (Omit<RowLine, 'answer'> & AnswerRow & { answered: boolean })[]
>`
  with shown as (
    select r.line, r.part, r.lookup_id, r.start_at, r.size, l.question, l.kind, l.seen, l.as_of,
           vigia.shows_answer(r) as is_shown, vigia.row_outcome(r, l) as outcome, vigia.row_message(r, l) as message,
           r.reject_reason, vigia.row_charge(r, l, i) as charged
      from vigia.batch_row r
      left join vigia.lookup l on l.id = r.lookup_id
      left join vigia.intent i on i.lookup_id = l.id
     where r.batch_id = ${batchId} and r.line > ${stretch.after} and r.line <= ${stretch.upTo}
       and (${outcome ?? null}::text is null or vigia.row_outcome(r, l) = ${outcome ?? null})
       and (${reason ?? null}::text is null or r.reject_reason = ${reason ?? null})
     order by r.line, r.part
     limit ${stretch.limit})
  select s.line, s.part, s.lookup_id, s.start_at, s.size, s.question, s.kind, s.outcome, s.message, s.reject_reason,
         s.charged,
         case when s.is_shown then s.seen end as seen, case when s.is_shown then s.as_of end as as_of,
         a.lookup_id is not null as answered, ${answerColumns(sql)}
    from shown s
    left join vigia.lookup l on l.id = s.lookup_id
    left join vigia.answer a on a.lookup_id = s.lookup_id and s.is_shown
   order by s.line, s.part`

/** The first row of a batch about this document. */
export const findRow = (sql: Sql, batchId: bigint, question: string): Promise<{ line: number; part: number } | null> =>
  firstRow(sql`
    select r.line, r.part
      from vigia.lookup l
      join vigia.batch_row r on r.lookup_id = l.id
     where l.question = ${question} and r.batch_id = ${batchId}
     order by r.line, r.part
     limit 1`)

export const countRejects = (sql: Sql, batchId: bigint) => sql<{ reason: string; rows: number }[]>`
  select reject_reason as reason, count(*)::int as rows
    from vigia.batch_row
   where batch_id = ${batchId} and reject_reason is not null
   group by reject_reason
   order by rows desc, reason`

/** One row of a batch, or one of its documents: its question, or why it was rejected. */
type BatchRow = Pick<
  RowLine,
  'line' | 'part' | 'startAt' | 'size' | 'lookupId' | 'outcome' | 'message' | 'charged' | 'rejectReason'
> & {
  /** Whether the row shows its look-up; false if its batch was cancelled while another batch uses the look-up. */
  isShown: boolean
  pays: boolean
  repair: string | null
  /** The batch that asked first; the look-up is charged to it. */
  askedBy: bigint | null
}

export const readBatchRow = (sql: Sql, batchId: bigint, line: number, part: number): Promise<BatchRow | null> =>
  firstRow(sql`
    select r.line, r.part, r.start_at, r.size, r.lookup_id, vigia.row_outcome(r, l) as outcome,
           vigia.shows_answer(r) as is_shown, vigia.row_message(r, l) as message, vigia.row_pays(r, l) is true as pays,
           vigia.row_charge(r, l, i) as charged, r.repair, r.reject_reason, l.batch_id as asked_by
      from vigia.batch_row r
      left join vigia.lookup l on l.id = r.lookup_id
      left join vigia.intent i on i.lookup_id = l.id
     where r.batch_id = ${batchId} and r.line = ${line} and r.part = ${part}`)

const historyLine = z.object({ at: moment.nullable(), what: z.string() })

const lookupOfRow = z.object({
  id: bigId,
  kind,
  organization: bigId,
  charged,
  remoteId: z.string().nullable().describe('its id at the registry'),
  remoteKey: z.string().nullable().describe('the second id that the registry needs to show it'),
  name: maskedName.nullable().describe('the name that the registry gave when it accepted the purchase; masked'),
  estimated: z.int().nullable().describe('how many court cases the registry expected then: an estimate, no count'),
  previousId: z.string().nullable().describe('the analysis of the document before this one'),
  seen: text.nullable().describe('the last status that the registry reported'),
  attempts: z.int(),
  polls: z.int().describe('requests for the answer; or, if the outcome is unknown, inconclusive lists'),
  asked: moment,
  sent: moment.nullable(),
  due: moment.nullable(),
  deadline: moment,
  asOf: moment.nullable(),
  finished: moment.nullable(),
})

/** The look-up of a row with its complete history, as it was stored. */
export type LookupHistory = RowOf<typeof lookupOfRow> & { question: string; state: LookupState; trace: string[] }

export const readTrace = (sql: Sql, id: bigint): Promise<LookupHistory | null> =>
  firstRow(sql`
    select l.id, l.organization_id as organization, l.kind, l.question, l.remote_id, l.remote_key,
           l.seen, l.registry_name as name, l.estimated, l.previous_id,
           vigia.state_of(l.state, i.sent_at) as state, vigia.charge_of(l.charged, i.sent_at) as charged,
           l.asked_at as asked, coalesce(i.sent_at, l.sending_at) as sent, l.deadline_at as deadline,
           l.due_at as due, l.as_of, l.finished_at as finished, l.polls, l.attempts,
           case when i.sent_at is null then vigia.history_of(l)
                else array_append(l.trace, vigia.history_line(i.sent_at, '["intent"]')) end as trace
      from vigia.lookup l
      left join vigia.intent i on i.lookup_id = l.id
     where l.id = ${id}`)

/** One row and its history. */
export const rowHistory = z.object({
  batch: z.int(),
  line: z.int(),
  column: z.string().nullable().describe('which document of the row this is; null where a row has one'),
  columns: z.array(z.string()).describe('the columns of all documents of the row; empty where it has one'),
  state: z.string().nullable(),
  detail: z.string().nullable(),
  rejected: z.string().nullable(),
  repair: z.string().nullable(),
  pays: z.boolean().describe('whether its look-up is charged to this row'),
  document: question.nullable(),
  file: ownRow.nullable().describe('the cells of the row in its file'),
  nameMatch: z
    .object({ match: z.enum(nameMatches), rule: z.enum(nameRules).describe('what decided') })
    .nullable()
    .describe('how the name in the file compares with that of the registry'),
  answer: answer.nullable().describe('the answer of the registry'),
  lookup: lookupOfRow
    .nullable()
    .describe('null if the row was rejected, or if its batch was cancelled while another batch uses the look-up'),
  story: z.array(historyLine),
})

export type RowHistory = z.output<typeof rowHistory>

/** One look-up without a row, such as one of a sweep. */
export const lookupHistory = z.object({
  lookup: z.int(),
  state: z.string(),
  charged: z.string(),
  story: z.array(historyLine),
})
export type LookupHistoryView = z.output<typeof lookupHistory>

/** A row with its cells, its look-up and the answer; the `state` of an open row is that of its look-up. */
export type RowRecord = {
  row: BatchRow
  own: OwnRow | null
  lookup: LookupHistory | null
  answer: AnswerRow | null
  state: string | null
  /** How the name in the file compares with that of the registry. */
  name: NameComparison | null
  /** What each document of the row is called; none where it has one. */
  columns: string[]
}

export const toRowHistoryView = (batchId: bigint, record: RowRecord): RowHistory => {
  const { row, own, lookup, state, columns } = record
  return {
    batch: Number(batchId),
    line: row.line,
    column: columns[row.part] ?? null,
    columns,
    state,
    detail: row.message && maskLine(inEnglish(row.message)),
    rejected: row.rejectReason,
    repair: row.repair,
    pays: row.pays,
    document: lookup && shownQuestion(lookup.question, lookup.kind),
    file: own,
    nameMatch: record.name,
    answer: record.answer && lookup && toAnswerView(record.answer, lookup.kind),
    lookup: lookup && row.isShown ? toView(lookupOfRow, lookup) : null,
    story: toHistoryView((row.isShown && lookup?.trace) || []),
  }
}

export const toLookupHistoryView = ({ id, state, charged: paid, trace }: LookupHistory): LookupHistoryView => ({
  lookup: Number(id),
  state,
  charged: paid,
  story: toHistoryView(trace),
})

const toHistoryView = (trace: readonly string[]): RowHistory['story'] =>
  trace.map(readHistoryLine).map(({ at, what }) => ({ at, what: maskLine(inEnglish(what)) }))

/** Each line of a history is a moment and a message; lines of earlier versions are text instead of a code. */
export const readHistoryLine = (line: string): { at: string | null; what: Message } => {
  const [, at = null, what = line] = /^(\d{4}-\S+Z) (.*)$/s.exec(line) ?? []
  return { at, what: what.startsWith('["') ? JSON.parse(what) : ['text', what] }
}
