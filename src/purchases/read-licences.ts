import { type CallFailure, callFailureOf } from '../domain/call-failure.ts'
import type { Document } from '../domain/document.ts'
import type { Account } from '../domain/lookup.ts'
import type { Database } from '../store/connect.ts'
import { insertListSnapshot, type ListSnapshot } from '../store/purchases/list-snapshots.ts'
import { type LedgerEntry, type PaidLane, recordPurchases } from '../store/purchases/purchases.ts'

type Licence = { requestId: string; status: string; dated: { from: Date; to: Date } | null }
type CallOptions = { signal?: AbortSignal }

export type LicenceReader = {
  sql: Database
  registry: { cnh: { latest(document: Document, account: Account, options?: CallOptions): Promise<Licence | null> } }
  clock: () => Date
}

/** Those that could not be read, by document number, and why. */
type Failures = Map<string, CallFailure>

/**
 * Reads the latest licence of each CPF into the purchase ledger: CNH has no list, but its latest record per document, and a
 * 404 proves that there is none. (Interface 4.3)
 */
export const readLatestLicences = async (
  { sql, registry, clock }: LicenceReader,
  account: Account,
  documents: readonly Document[],
  options: CallOptions = {},
): Promise<{ snapshot: ListSnapshot; failures: Failures }> => {
  const lane: PaidLane = { organizationId: account.organizationId, kind: 'cnh' }
  const beganAt = clock()
  const failures: Failures = new Map()
  const found = await Promise.all(
    documents.map(async (document) => {
      const latest = registry.cnh.latest(document, account, options)
      const licence = await latest.catch((error) => void failures.set(document.number, callFailureOf(error)))
      return licence ? [toLedgerEntry(document, licence)] : []
    }),
  )
  const snapshot = await sql.begin(async (tx) => {
    const snapshot = await insertListSnapshot(tx, lane, { beganAt, complete: failures.size === 0 })
    const listed = found.flat()
    if (listed.length > 0) await recordPurchases(tx, lane, snapshot.id, listed)
    return snapshot
  })
  return { snapshot, failures }
}

const toLedgerEntry = ({ number }: Document, { requestId, status, dated }: Licence): LedgerEntry => ({
  id: requestId,
  key: null,
  document: number,
  dated: dated?.from.toISOString() ?? null,
  datedFrom: dated?.from ?? null,
  datedTo: dated?.to ?? null,
  status,
  deleted: false,
})
