import type { Lookup, OpenState } from '../../../../src/domain/lookup.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { holdStops, laneKey, mayAsk } from '../rules.ts'
import type { LookupRecord } from '../tables.ts'

export const readWorkable = (sql: Sql, ids: bigint[], jobId: string, now: Date): Promise<Lookup[]> =>
  on(sql, (database) => workable(database, ids, jobId, now).map(toLookup))

/** A held lane lets only a trial through; a batch that is paused or cancelled only what it already paid for. */
export const workable = ({ tables }: ModelDatabase, ids: bigint[], jobId: string, now: Date): LookupRecord[] => {
  const claim = tables.claims.get(jobId)
  if (!claim) return []
  return [...new Set(ids)].flatMap((id) => {
    const lookup = tables.lookups.get(id)
    const batch = lookup && tables.batches.get(lookup.batchId)
    if (!batch || lookup.state !== claim.state || (lookup.state === 'queued' && !mayAsk(batch))) return []
    const held = tables.lanes.get(laneKey(lookup))
    const isFree = !held || !holdStops(held.cause, lookup.state)
    return isFree || (held.trialAt !== null && held.trialAt > now && ids.length === 1) ? [lookup] : []
  })
}

/** As jobs meet it. */
export const toLookup = (l: LookupRecord): Lookup => ({
  id: l.id,
  organizationId: l.organizationId,
  kind: l.kind,
  question: l.question,
  documentType: l.documentType,
  label: l.label,
  state: l.state as OpenState,
  attempts: l.attempts,
  polls: l.polls,
  deadlineAt: l.deadlineAt,
  sendingAt: l.sentAt,
  unlistedAt: l.unlistedAt,
  refusedAs: l.refusedAs,
  reason: l.message,
  listSnapshotId: l.snapshotId,
  remote: l.remoteId === null ? null : { id: l.remoteId, key: l.remoteKey },
  charged: l.charged,
})
