import type { z } from 'zod'
import { maskDocument } from '../domain/document.ts'
import { inEnglish } from '../domain/said/english.ts'
import type { Said } from '../domain/said/said.ts'
import type { Batch } from '../store/batches/batches.ts'
import type { Sql } from '../store/connect.ts'
import { type LookupStory, readStory } from '../store/lookups/lookups.ts'
import { type AnswerRow, readAnswer, tellAnswer } from '../views/answer.ts'
import type { OwnRow } from '../views/own-row.ts'
import { type BatchRow, type lookupStory, readBatchRow, type rowStory } from '../views/row.ts'
import { readOwnRows } from './own-rows.ts'
import { BatchRefusal, batchOrRefuse } from './steer.ts'

/** A row with what its file says, the look-up that answers it, and the answer; `state` says of an open row how far its look-up is. */
export type RowRecord = {
  row: BatchRow
  own: OwnRow | null
  lookup: LookupStory | null
  answer: AnswerRow | null
  state: string | null
}

/** `revealed`: with the names and documents of the file as they are. */
export const readRowRecord = async (
  sql: Sql,
  batch: Pick<Batch, 'id' | 'fileId' | 'layout'>,
  line: number,
  revealed = false,
): Promise<RowRecord | null> => {
  const row = await readBatchRow(sql, batch.id, line)
  if (!row) return null
  const lookup = row.lookupId === null ? null : await readStory(sql, row.lookupId)
  const state = row.outcome === 'pending' ? (lookup?.state ?? null) : row.outcome
  const answer = lookup && state !== 'cancelled' ? await readAnswer(sql, lookup.id) : null
  const own = (await readOwnRows(sql, batch, [row], revealed)).get(line) ?? null
  return { row, own, lookup, answer, state }
}

export type RowStory = z.output<typeof rowStory>

/** Everything that happened to one row, for a person or a program to read; `mask` hides the documents in a text. */
export const readRowStory = async (
  sql: Sql,
  batchId: bigint,
  line: number,
  mask: (text: string) => string,
): Promise<RowStory> => {
  const record = await readRowRecord(sql, await batchOrRefuse(sql, batchId), line)
  if (!record) throw new BatchRefusal(['no_line', batchId, line])
  const { row, own, lookup, answer, state } = record
  return {
    batch: Number(batchId),
    line,
    state,
    detail: row.detail && mask(row.detail),
    rejected: row.rejectReason,
    repair: row.repair,
    pays: row.pays,
    document: lookup && shownQuestion(lookup.question),
    file: own,
    answer: answer && lookup && tellAnswer(answer, lookup.kind),
    lookup: lookup && tellLookup(lookup, mask),
    story: tellStory(lookup?.trace ?? [], mask),
  }
}

/** What happened to one look-up, where no row leads to it. */
export const readLookupStory = async (
  sql: Sql,
  id: bigint,
  mask: (text: string) => string,
): Promise<z.output<typeof lookupStory>> => {
  const found = await readStory(sql, id)
  if (!found) throw new BatchRefusal(['no_lookup', id])
  const { state, charged, trace } = found
  return { lookup: Number(id), state, charged, story: tellStory(trace, mask) }
}

const tellStory = (trace: readonly string[], mask: (text: string) => string) =>
  trace.map(readStoryLine).map(({ at, what }) => ({ at, what: mask(inEnglish(what)) }))

/** Each line of a story is a moment and what happened then; one of an earlier version is in words already. */
export const readStoryLine = (line: string): { at: string | null; what: Said } => {
  const [, at = null, what = line] = /^(\d{4}-\S+Z) (.*)$/s.exec(line) ?? []
  return { at, what: what.startsWith('["') ? JSON.parse(what) : ['text', what] }
}

const tellLookup = (lookup: LookupStory, mask: (text: string) => string) => ({
  id: Number(lookup.id),
  kind: lookup.kind,
  organization: Number(lookup.organizationId),
  charged: lookup.charged,
  remoteId: lookup.remoteId,
  seen: lookup.seen && mask(lookup.seen),
  attempts: lookup.attempts,
  polls: lookup.polls,
  asked: lookup.askedAt.toISOString(),
  sent: iso(lookup.sendingAt),
  due: iso(lookup.dueAt),
  deadline: lookup.deadlineAt.toISOString(),
  asOf: iso(lookup.asOf),
  finished: iso(lookup.finishedAt),
})

/** A document is masked; a process number names no person. */
const shownQuestion = (question: string): string =>
  /^(\d{11}|[0-9A-Z]{12}\d{2})$/.test(question) ? maskDocument(question) : question

const iso = (date: Date | null): string | null => date?.toISOString() ?? null
