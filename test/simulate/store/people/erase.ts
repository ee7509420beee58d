import { erasedText } from '../../../../src/domain/lookup.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import { changeLookup } from '../change-lookup.ts'
import { on } from '../handle.ts'
import { keepOwnedIn } from '../lookups/lookups.ts'
import { personKeyOf } from '../person-key.ts'
import { byId, freshFrom } from '../rules.ts'

export const lockLookupsAbout = (sql: Sql, document: string): Promise<bigint[]> =>
  on(sql, ({ tables }) =>
    [...tables.lookups.values()]
      .filter(({ question }) => question === document)
      .sort(byId)
      .map(({ id }) => id),
  )

export const isUnsettled = (sql: Sql, ids: bigint[]): Promise<boolean> =>
  on(sql, ({ tables: { lookups, intents } }) =>
    ids.some((id) => {
      const state = lookups.get(id)?.state
      return state === 'sending' || state === 'unknown_outcome' || intents.has(id)
    }),
  )

export const batchesOfLookups = (sql: Sql, ids: bigint[]): Promise<bigint[]> =>
  on(sql, ({ tables }) =>
    [...tables.rows]
      .flatMap(([id, rows]) => (rows.some(({ lookupId }) => ids.includes(lookupId)) ? [id] : []))
      .sort((a, b) => Number(a - b)),
  )

export const endOpenLookups = (sql: Sql, ids: bigint[], now: Date) =>
  on(sql, (database) =>
    ids.flatMap((id) => {
      const lookup = database.tables.lookups.get(id)
      if (lookup?.state !== 'queued' && lookup?.state !== 'waiting') return []
      changeLookup(database, lookup, { state: 'cancelled', finishedAt: now, dueAt: null })
      return [{ id }]
    }),
  )

export const eraseLookups = (sql: Sql, ids: bigint[]): Promise<void> =>
  on(sql, (database) => {
    keepOwnedIn(database, ids)
    for (const id of ids) {
      const lookup = database.tables.lookups.get(id)
      if (!lookup) continue
      database.drop(database.tables.answers, id)
      const gone = { documentType: null, label: null, remoteKey: null, seen: null, message: null }
      changeLookup(database, lookup, { ...gone, question: `${erasedText}${id}`, current: false })
    }
  })

export const erasePurchases = (sql: Sql, document: string): Promise<void> =>
  on(sql, (database) => {
    for (const purchase of database.tables.purchases.values()) {
      if (purchase.document !== document) continue
      const owner = purchase.lookupId === null ? undefined : database.tables.lookups.get(purchase.lookupId)
      const boughtAt = purchase.boughtAt ?? (owner ? freshFrom(owner) : null)
      database.set(purchase, { document: '', status: null, personKey: personKeyOf(document), boughtAt })
    }
  })

/** No history has files, reports, radars or portfolios. */
export const eraseMonitoring = async () => ({ monitoredBy: [], portfolios: [] })
const noneThere = async (): Promise<never[]> => []
const nothingThere = async (): Promise<void> => {}
export const [oweReports, namesOfBatches, dropWorkbooks] = [noneThere, noneThere, noneThere]
export const [dropColumnChoices, vacuumErased] = [nothingThere, nothingThere]
