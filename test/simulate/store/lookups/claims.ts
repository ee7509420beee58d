import type { OpenState } from '../../../../src/domain/lookup.ts'
import type { Message } from '../../../../src/messages/message.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import type { Claim } from '../../../../src/store/lookups/claims.ts'
import { changeLookup } from '../change-lookup.ts'
import type { ModelDatabase } from '../database.ts'
import { handleOf, on } from '../handle.ts'
import { byId } from '../rules.ts'

export const lockDispatch = (sql: Sql): Promise<boolean> => takeLock(sql, 'dispatch')

/** An advisory lock until the transaction ends; false where another has it. */
export const takeLock = (sql: Sql, name: string): Promise<boolean> => {
  const tx = handleOf(sql)
  return on(sql, ({ locks }) => {
    const holder = locks.get(name)
    if (holder && holder !== tx) return false
    locks.set(name, tx)
    tx.locks?.add(name)
    return true
  })
}

export const claimLookups = (sql: Sql, claims: Claim[], now: Date) =>
  on(sql, (database) => {
    for (const { jobId, state, ids } of claims) {
      database.put(database.tables.claims, jobId, { jobId, state, claimedAt: now, ids: [...ids] })
    }
    return []
  })

/** Whether some job has the look-up in this state, or its call is on its way. */
export const claimedIn = ({ tables, known }: ModelDatabase): ((id: bigint, state: string) => boolean) =>
  known('claimed', () => {
    const claimed = { queued: new Set<bigint>(), sending: new Set<bigint>(), waiting: new Set<bigint>() }
    for (const { ids, state } of tables.claims.values()) for (const id of ids) claimed[state].add(id)
    return (id, state) =>
      (claimed[state as OpenState]?.has(id) ?? false) || (state === 'queued' && tables.intents.has(id))
  })

export const endClaim = (sql: Sql, jobId: string) =>
  on(sql, (database) => {
    database.drop(database.tables.claims, jobId)
    return []
  })

export const postponeLookups = (sql: Sql, ids: bigint[], state: OpenState, dueAt: Date) =>
  on(sql, (database) => {
    for (const id of ids) {
      const lookup = database.tables.lookups.get(id)
      if (lookup && lookup.state === state && lookup.dueAt && lookup.dueAt < dueAt)
        changeLookup(database, lookup, { dueAt })
    }
    return []
  })

const hourMs = 3_600_000

export const putOffUnsent = (sql: Sql, unsent: { id: bigint; reason: Message }[], firstMs: number, now: Date) =>
  on(sql, (database) => {
    const { lookups, intents } = database.tables
    for (const { id, reason } of unsent) {
      const lookup = lookups.get(id)
      if (lookup?.state !== 'queued' || intents.has(id)) continue
      const wait = Math.max(firstMs, Math.min((now.getTime() - lookup.askedAt.getTime()) / 2, hourMs))
      const dueAt = new Date(Math.min(lookup.deadlineAt.getTime(), now.getTime() + wait))
      changeLookup(database, lookup, { dueAt, message: reason })
    }
    return []
  })

export const releaseFromDead = (
  sql: Sql,
  jobId: string,
  fatalDeaths: number,
  now: Date,
): Promise<{ id: bigint; isQuarantined: boolean }[]> =>
  on(sql, (database) => {
    const { claims, lookups, intents } = database.tables
    const gone = claims.get(jobId)
    if (!gone) return []
    database.drop(claims, jobId)
    const left = gone.ids
      .flatMap((id) => lookups.get(id) ?? [])
      .filter(({ state, dueAt }) => state === gone.state && dueAt !== null && dueAt <= gone.claimedAt)
      .sort(byId)
    return left.map((lookup) => {
      const workerDeaths = lookup.workerDeaths + 1
      const fatal = workerDeaths >= fatalDeaths && lookup.state !== 'sending' && !intents.has(lookup.id)
      changeLookup(
        database,
        lookup,
        fatal
          ? { workerDeaths, state: 'failed', finishedAt: now, dueAt: null, message: ['died_thrice'] }
          : { workerDeaths, finishedAt: null },
      )
      return { id: lookup.id, isQuarantined: fatal }
    })
  })
