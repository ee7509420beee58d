import { maskDocument } from '../domain/document.ts'
import type { Kind } from '../domain/kind.ts'
import type { Sql } from '../store/connect.ts'
import { listAllParked, listCandidates } from '../store/lookups/parked-rows.ts'

/** What the registry lists of a document: one of these may be the purchase whose answer was lost. */
type CandidateShown = {
  id: string
  dated: string | null
  status: string | null
  deleted: boolean
  /** The look-up that has it already; null where it may be adopted. */
  owner: number | null
}

/** A purchase in doubt, of a file or of a sweep, as people and programs see it. */
export type ParkedShown = {
  lookup: number
  organization: number
  kind: Kind
  document: string
  batch: number | null
  line: number | null
  name: string | null
  sentAt: string | null
  detail: string | null
  candidates: CandidateShown[]
}

/** Every purchase in doubt, oldest first, with what the registry's list shows of its document. */
export const readParked = async (sql: Sql, limit: number): Promise<ParkedShown[]> => {
  const parked = await listAllParked(sql, limit)
  const candidates = Map.groupBy(
    await listCandidates(
      sql,
      parked.map(({ lookupId }) => lookupId),
    ),
    ({ lookupId }) => lookupId,
  )
  return parked.map((each) => ({
    lookup: Number(each.lookupId),
    organization: Number(each.organizationId),
    kind: each.kind,
    document: maskDocument(each.question),
    batch: each.batchId === null ? null : Number(each.batchId),
    line: each.line,
    name: each.name,
    sentAt: each.sendingAt?.toISOString() ?? null,
    detail: each.detail,
    candidates: (candidates.get(each.lookupId) ?? []).map(({ remoteId, dated, status, deleted, owner }) => ({
      id: remoteId,
      dated,
      status,
      deleted,
      owner: owner === null ? null : Number(owner),
    })),
  }))
}
