import { BatchRefusal } from '../batches/batch-refusal.ts'
import { maskDocument } from '../domain/document.ts'
import { maskLine } from '../log/mask.ts'
import { readBatchRow } from '../store/batch-rows.ts'
import type { Sql } from '../store/connect.ts'
import { readStory } from '../store/lookups.ts'
import { facts, moment } from './wording.ts'

export type RowStory = Awaited<ReturnType<typeof readRowStory>>

/** Everything that happened to one row; its document is masked. */
export async function readRowStory(sql: Sql, batchId: bigint, line: number) {
  const row = await readBatchRow(sql, batchId, line)
  if (!row)
    throw new BatchRefusal(`Batch ${batchId} has no row at line ${line}: lines count from 1, the header included`)
  const lookup = row.lookupId === null ? null : await readStory(sql, row.lookupId)
  return {
    batch: Number(batchId),
    line,
    state: row.rejectReason ? 'rejected' : row.cancelled ? 'cancelled' : (lookup?.state ?? null),
    detail: row.rejectDetail ?? lookup?.detail ?? null,
    rejected: row.rejectReason,
    repair: row.repair,
    pays: row.first,
    document: lookup && shownQuestion(lookup.question),
    lookup: lookup && {
      id: Number(lookup.id),
      kind: lookup.kind,
      organization: Number(lookup.organizationId),
      charged: lookup.charged,
      remoteId: lookup.remoteId,
      seen: lookup.seen,
      attempts: lookup.attempts,
      polls: lookup.polls,
      asked: iso(lookup.askedAt),
      sent: iso(lookup.sendingAt),
      due: iso(lookup.dueAt),
      deadline: iso(lookup.deadlineAt),
      asOf: iso(lookup.asOf),
      finished: iso(lookup.finishedAt),
    },
    story: (lookup?.trace ?? []).map(storyLine),
  }
}

export function renderRowStory({ batch, line, lookup, story, ...row }: RowStory, timezone: string): string {
  const at = (time: string | null) => moment(time, timezone)
  const head = facts([
    ['Row', `line ${line} of batch ${batch}`],
    ['State', row.state],
    ['Detail', row.detail],
    ['Document', row.document],
    ['Repaired', row.repair],
    ['Look-up', lookup && `${lookup.id} (${lookup.kind}, organization ${lookup.organization})`],
    ['Charged', lookup && `${lookup.charged}${row.pays ? '' : ' (by another row)'}`],
    ['Registry id', lookup?.remoteId],
    ['Last status', lookup?.seen],
    ['Deadline', lookup && at(lookup.deadline)],
  ])
  return [head, ...story.map(({ at: time, what }) => `  ${at(time)}  ${what}`)].join('\n')
}

/** A document is masked; a process number names no person. */
const shownQuestion = (question: string): string =>
  /^(\d{11}|[0-9A-Z]{12}\d{2})$/.test(question) ? maskDocument(question) : question

const storyLine = (line: string) => {
  const space = line.indexOf(' ')
  return { at: line.slice(0, space), what: maskLine(line.slice(space + 1)) }
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null
