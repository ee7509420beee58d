import { z } from 'zod'
import type { Sql } from '../store/connect.ts'
import { type Candidate, listCandidates, listParked, type Parked } from '../store/lookups/parked-rows.ts'
import { iso, kind, masked, moment, shownDocument, shownMessage, shownText } from './fields.ts'
import { columnOfPart, type OwnNames, ownNames } from './own-row.ts'

/** A purchase with an unknown outcome, of a file or of a sweep, with the listed purchases of its document. */
export const parkedShown = z.object({
  lookup: z.int(),
  organization: z.int(),
  kind,
  document: masked,
  file: ownNames.nullable().describe('name and reference of the row in its file; null for a sweep'),
  batch: z.int().nullable(),
  line: z.int().nullable(),
  column: masked.nullable().describe('which document of the row it is; null where a row has one'),
  name: masked.nullable(),
  sentAt: moment.nullable(),
  detail: masked.nullable(),
  candidates: z.array(
    z.object({
      id: z.string(),
      dated: z.string().nullable(),
      status: z.string().nullable(),
      deleted: z.boolean(),
      owner: z.int().nullable().describe('the look-up that owns it; null: it can be adopted'),
    }),
  ),
})
export type ParkedShown = z.output<typeof parkedShown>

/** The listed purchases of the documents of these look-ups, by look-up. */
export const readCandidates = async (sql: Sql, ids: bigint[]): Promise<Map<bigint, ParkedShown['candidates']>> => {
  const byLookup = Map.groupBy(await listCandidates(sql, ids), ({ lookupId }) => lookupId)
  return new Map([...byLookup].map(([id, found]) => [id, found.map(toCandidateView)]))
}

const toCandidateView = ({ lookupId: _, remoteId: id, owner, ...listed }: Candidate) => ({
  ...{ id, ...listed },
  owner: owner === null ? null : Number(owner),
})

export const toParkedView = (
  each: Parked,
  { candidates, own }: { candidates: ParkedShown['candidates']; own: OwnNames | null },
): ParkedShown => ({
  lookup: Number(each.lookupId),
  organization: Number(each.organizationId),
  kind: each.kind,
  document: shownDocument(each.question),
  file: own && { name: own.name, ref: own.ref },
  batch: each.batchId === null ? null : Number(each.batchId),
  line: each.line,
  column: each.part === null ? null : columnOfPart(each, each.part),
  name: shownText(each.name),
  sentAt: iso(each.sendingAt),
  detail: shownMessage(each.message),
  candidates,
})

/** A parked row of one batch. */
export const parkedRow = z.object({
  line: z.int(),
  column: masked.nullable().describe('which document of the row it is; null where a row has one'),
  document: masked,
  sent: moment.nullable(),
  detail: masked.nullable(),
})
export type ParkedRow = z.output<typeof parkedRow>

export const readParkedRows = async (
  sql: Sql,
  batchId: bigint,
  columns: readonly string[],
  limit: number,
): Promise<ParkedRow[]> =>
  (await listParked(sql, batchId, limit)).map(({ line, part, question, sendingAt, message }) => ({
    line,
    column: columns[part] ?? null,
    document: shownDocument(question),
    sent: iso(sendingAt),
    detail: shownMessage(message),
  }))
