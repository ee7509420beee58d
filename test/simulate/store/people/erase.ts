import { erasedText } from '../../../../src/domain/lookup.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import { changeLookup } from '../change-lookup.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { keepOwnedIn } from '../lookups/lookups.ts'
import { personKeyOf } from '../person-key.ts'
import { byId, freshFrom } from '../rules.ts'

export const lockSettledLookups = (sql: Sql, document: string): Promise<bigint[] | null> =>
  on(sql, ({ tables: { lookups, intents } }) => {
    const about = [...lookups.values()].filter(({ question }) => question === document).sort(byId)
    const isUnsettled = about.some(
      ({ id, state }) => state === 'sending' || state === 'unknown_outcome' || intents.has(id),
    )
    return isUnsettled ? null : about.map(({ id }) => id)
  })

export const batchesOfLookups = (sql: Sql, ids: bigint[]): Promise<bigint[]> =>
  on(sql, ({ tables }) =>
    [...tables.rows]
      .flatMap(([id, rows]) => (rows.some(({ lookupId }) => ids.includes(lookupId)) ? [id] : []))
      .sort((a, b) => Number(a - b)),
  )

export const endOpenLookups = (sql: Sql, ids: bigint[], now: Date): Promise<bigint[]> =>
  on(sql, (database) =>
    ids.flatMap((id) => {
      const lookup = database.tables.lookups.get(id)
      if (lookup?.state !== 'queued' && lookup?.state !== 'waiting') return []
      changeLookup(database, lookup, { state: 'cancelled', finishedAt: now, dueAt: null })
      return [id]
    }),
  )

export const eraseRecords = (sql: Sql, ids: bigint[], document: string) =>
  on(sql, (database) => {
    eraseLookups(database, ids)
    erasePurchases(database, document)
    return { monitoredBy: eraseMonitoring(database, document), portfolios: [] }
  })

const eraseLookups = (database: ModelDatabase, ids: bigint[]): void => {
  keepOwnedIn(database, ids)
  for (const id of ids) {
    const lookup = database.tables.lookups.get(id)
    if (!lookup) continue
    database.drop(database.tables.answers, id)
    const gone = { documentType: null, label: null, remoteKey: null, seen: null, message: null }
    changeLookup(database, lookup, { ...gone, question: `${erasedText}${id}`, current: false })
  }
}

const erasePurchases = (database: ModelDatabase, document: string): void => {
  for (const purchase of database.tables.purchases.values()) {
    if (purchase.document !== document) continue
    const owner = purchase.lookupId === null ? undefined : database.tables.lookups.get(purchase.lookupId)
    const boughtAt = purchase.boughtAt ?? (owner ? freshFrom(owner) : null)
    database.set(purchase, { document: '', status: null, personKey: personKeyOf(document), boughtAt })
  }
}

/** Returns the organizations whose radar list had the person. */
const eraseMonitoring = (database: ModelDatabase, document: string): bigint[] => {
  const { radars, radarSnapshots, changes, suspicious } = database.tables
  const monitoredBy = [...radars.values()].filter((r) => r.document === document)
  for (const table of [radars, radarSnapshots, changes] as Map<string, { document: string }>[]) {
    for (const [key, row] of table) if (row.document === document) database.drop(table, key)
  }
  for (const list of suspicious.values())
    database.set(list, { radars: list.radars.filter((r) => r.document !== document) })
  return monitoredBy.map(({ organizationId }) => BigInt(organizationId))
}

/** No history has files, reports or portfolios. */
const noneThere = async (): Promise<never[]> => []
const nothingThere = async (): Promise<void> => {}
export const [oweReports, namesOfBatches, dropWorkbooks] = [noneThere, noneThere, noneThere]
export const [dropColumnChoices, vacuumErased] = [nothingThere, nothingThere]
