import { DatabaseError, type ModelDatabase } from './database.ts'
import type { LookupRecord } from './tables.ts'

const open = ['queued', 'sending', 'waiting']

/** Changes a look-up as far as the constraints of its table let it. */
export const changeLookup = (database: ModelDatabase, lookup: LookupRecord, changes: Partial<LookupRecord>): void => {
  database.set(lookup, changes)
  check(lookup)
  if ((changes.remoteId || changes.current) && lookup.remoteId !== null && lookup.current) refuseTaken(database, lookup)
}

export const insertLookup = (database: ModelDatabase, lookup: LookupRecord): void => {
  database.put(database.tables.lookups, lookup.id, lookup)
  check(lookup)
  if (lookup.remoteId !== null && lookup.current) refuseTaken(database, lookup)
}

/** Two look-ups of an organization never claim the same purchase: index `lookup_remote`. */
const refuseTaken = ({ tables }: ModelDatabase, lookup: LookupRecord): void => {
  for (const other of tables.lookups.values()) {
    if (other.id === lookup.id || !other.current || other.remoteId !== lookup.remoteId) continue
    if (other.kind === lookup.kind && other.organizationId === lookup.organizationId) {
      throw new DatabaseError('23505', 'lookup_remote')
    }
  }
}

const check = (l: LookupRecord): void => {
  const isOpen = open.includes(l.state)
  const broken =
    (l.charged === 'unknown' &&
      !['sending', 'cancelled', 'unknown_outcome'].includes(l.state) &&
      l.adoptedAt === null &&
      'lookup_outcome_unknown_only_while_unproven') ||
    (l.state === 'sending' && (l.sentAt === null || l.charged === 'no') && 'lookup_sending_has_an_intent') ||
    (l.state === 'waiting' &&
      (l.kind === 'analysis' || l.kind === 'cnh') &&
      l.remoteId === null &&
      'lookup_waiting_has_a_remote') ||
    ((l.finishedAt !== null) === isOpen && 'lookup_final_is_dated') ||
    (l.finishedAt !== null && l.dueAt !== null && 'lookup_final_is_never_due') ||
    (l.refusedAs !== null && l.state !== 'sending' && 'lookup_refused_only_while_sending')
  if (broken) throw new DatabaseError('23514', broken)
}
