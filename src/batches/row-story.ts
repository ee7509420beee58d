import type { z } from 'zod'
import { maskDocument } from '../domain/document.ts'
import { inEnglish } from '../domain/said/english.ts'
import type { Said } from '../domain/said/said.ts'
import type { Sql } from '../store/connect.ts'
import { type LookupStory, readStory } from '../store/lookups/lookups.ts'
import { type BatchRow, readBatchRow, type rowStory } from '../views/row.ts'
import { BatchRefusal } from './steer.ts'

/** A row with the look-up that answers it; `state` is null while nothing is known of either. */
type RowRecord = { row: BatchRow; lookup: LookupStory | null; state: string | null }

export async function readRowRecord(sql: Sql, batchId: bigint, line: number): Promise<RowRecord | null> {
  const row = await readBatchRow(sql, batchId, line)
  if (!row) return null
  const lookup = row.lookupId === null ? null : await readStory(sql, row.lookupId)
  const state = row.rejectReason ? 'rejected' : row.cancelled ? 'cancelled' : (lookup?.state ?? null)
  return { row, lookup, state }
}

export type RowStory = z.output<typeof rowStory>

/** Everything that happened to one row, for a person or a program to read; `mask` hides the documents in a text. */
export async function readRowStory(
  sql: Sql,
  batchId: bigint,
  line: number,
  mask: (text: string) => string,
): Promise<RowStory> {
  const record = await readRowRecord(sql, batchId, line)
  if (!record) throw new BatchRefusal(['no_line', batchId, line])
  const { row, lookup, state } = record
  const detail = row.rejectDetail ?? lookup?.detail ?? null
  return {
    batch: Number(batchId),
    line,
    state,
    detail: detail && mask(detail),
    rejected: row.rejectReason,
    repair: row.repair,
    pays: row.first,
    document: lookup && shownQuestion(lookup.question),
    lookup: lookup && tellLookup(lookup, mask),
    story: (lookup?.trace ?? []).map(readStoryLine).map(({ at, what }) => ({ at, what: mask(inEnglish(what)) })),
  }
}

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
