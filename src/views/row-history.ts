import { z } from 'zod'
import { maskName } from '../domain/mask-documents.ts'
import { type NameComparison, nameMatches, nameRules } from '../domain/name-match.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import type { LookupHistory } from '../store/lookups/lookups.ts'
import { type AnswerRow, answer, toAnswerView } from './answer.ts'
import { charged, iso, kind, moment, question, shownQuestion } from './fields.ts'
import { type OwnRow, ownRow } from './own-row.ts'
import type { BatchRow } from './row.ts'

const historyLine = z.object({ at: moment.nullable(), what: z.string() })

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
  lookup: z
    .object({
      id: z.int(),
      kind,
      organization: z.int(),
      charged,
      remoteId: z.string().nullable().describe('its id at the registry'),
      remoteKey: z.string().nullable().describe('the second id that the registry needs to show it'),
      name: z.string().nullable().describe('the name that the registry gave when it accepted the purchase; masked'),
      estimated: z.int().nullable().describe('how many court cases the registry expected then: an estimate, no count'),
      previousId: z.string().nullable().describe('the analysis of the document before this one'),
      seen: z.string().nullable().describe('the last status that the registry reported'),
      attempts: z.int(),
      polls: z.int().describe('requests for the answer; or, if the outcome is unknown, inconclusive lists'),
      asked: moment,
      sent: moment.nullable(),
      due: moment.nullable(),
      deadline: moment,
      asOf: moment.nullable(),
      finished: moment.nullable(),
    })
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

/** Masks the documents in a text. */
export type Mask = (text: string) => string

export const toRowHistoryView = (batchId: bigint, record: RowRecord, mask: Mask): RowHistory => {
  const { row, own, lookup, state, columns } = record
  return {
    batch: Number(batchId),
    line: row.line,
    column: columns[row.part] ?? null,
    columns,
    state,
    detail: row.message && mask(inEnglish(row.message)),
    rejected: row.rejectReason,
    repair: row.repair,
    pays: row.pays,
    document: lookup && shownQuestion(lookup.question, lookup.kind),
    file: own,
    nameMatch: record.name,
    answer: record.answer && lookup && toAnswerView(record.answer, lookup.kind),
    lookup: lookup && row.isShown ? toLookupView(lookup, mask) : null,
    story: toHistoryView((row.isShown && lookup?.trace) || [], mask),
  }
}

export const toLookupHistoryView = (
  { id, state, charged: paid, trace }: LookupHistory,
  mask: Mask,
): LookupHistoryView => ({
  lookup: Number(id),
  state,
  charged: paid,
  story: toHistoryView(trace, mask),
})

const toHistoryView = (trace: readonly string[], mask: Mask): RowHistory['story'] =>
  trace.map(readHistoryLine).map(({ at, what }) => ({ at, what: mask(inEnglish(what)) }))

/** Each line of a history is a moment and a message; lines of earlier versions are text instead of a code. */
export const readHistoryLine = (line: string): { at: string | null; what: Message } => {
  const [, at = null, what = line] = /^(\d{4}-\S+Z) (.*)$/s.exec(line) ?? []
  return { at, what: what.startsWith('["') ? JSON.parse(what) : ['text', what] }
}

const toLookupView = (lookup: LookupHistory, mask: Mask): RowHistory['lookup'] => ({
  id: Number(lookup.id),
  kind: lookup.kind,
  organization: Number(lookup.organizationId),
  charged: lookup.charged,
  remoteId: lookup.remoteId,
  remoteKey: lookup.remoteKey,
  name: lookup.name && maskName(mask(lookup.name)),
  estimated: lookup.estimated,
  previousId: lookup.previousId,
  seen: lookup.seen && mask(lookup.seen),
  attempts: lookup.attempts,
  polls: lookup.polls,
  asked: iso(lookup.askedAt),
  sent: iso(lookup.sendingAt),
  due: iso(lookup.dueAt),
  deadline: iso(lookup.deadlineAt),
  asOf: iso(lookup.asOf),
  finished: iso(lookup.finishedAt),
})
