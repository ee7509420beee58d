import { emptyTables, type Tables } from './tables.ts'

/** What PostgreSQL throws: `code` is its SQLSTATE. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** What undoes changes, the oldest first. */
export type Undo = (() => void)[]

/**
 * The model of the database: plain tables, and statements that happen completely or not at all.
 *
 * Every change goes through `set`, `put` and `drop`, which remember how to undo it while a statement may still fail.
 */
export type ModelDatabase = {
  tables: Tables
  now(): Date
  /** Gives what was computed before of look-ups, intents, claims, lanes and batches, as long as none of them changed since. */
  known<T>(name: string, compute: () => T): T
  /** How often something of that, an answer or the spending of a day has changed. */
  readonly version: number
  /** Something was changed past `set`, `put` and `drop`. */
  forget(): void
  /** When this server was started, and which cluster and timeline it is. */
  start: string
  identity: string
  nextId(): bigint
  nextSnapshotId(): bigint
  /** Identifiers follow the last ones of another database. */
  numberFrom(lookup: bigint, snapshot: bigint): void
  set<R extends object>(record: R, changes: Partial<R>): void
  put<K, V>(map: Map<K, V>, key: K, value: V): void
  drop<K, V>(map: Map<K, V>, key: K): boolean
  /** Runs a statement: what it changed is undone when it throws, and remembered where a transaction keeps it. */
  statement<T>(work: (database: ModelDatabase) => T, kept?: Undo): T
  /** Advisory locks, and the transaction that has each. */
  locks: Map<string, object>
}

export const createModelDatabase = (now: () => Date): ModelDatabase => {
  let undo: Undo = []
  let last = 0n
  let lastSnapshot = 0n
  const computed = new Map<string, unknown>()
  const tables = emptyTables()
  let version = 0
  const isComputedOf = (map: unknown): boolean =>
    map === tables.lookups ||
    map === tables.intents ||
    map === tables.claims ||
    map === tables.lanes ||
    map === tables.batches
  const forget = (): void => {
    version++
    if (computed.size > 0) computed.clear()
  }
  const undoLater = (isComputed: boolean, work: () => void): void => {
    if (isComputed) forget()
    undo.push(work)
  }
  const noteOther = (map: unknown): void => {
    if (map === tables.answers || map === tables.days) version++
  }
  const database: ModelDatabase = {
    tables,
    now,
    known<T>(name: string, compute: () => T): T {
      if (!computed.has(name)) computed.set(name, compute())
      return computed.get(name) as T
    },
    forget,
    get version() {
      return version
    },
    start: '1',
    identity: 'cluster/1',
    nextId: () => ++last,
    nextSnapshotId: () => ++lastSnapshot,
    numberFrom(lookup, snapshot) {
      last = lookup
      lastSnapshot = snapshot
    },
    set(record, changes) {
      const before: Partial<typeof record> = {}
      for (const key in changes) {
        before[key] = record[key]
        record[key] = changes[key] as (typeof record)[typeof key]
      }
      const isComputed = 'dueAt' in record || 'trialAt' in record || 'pausedAt' in record
      undoLater(isComputed, () => void Object.assign(record, before))
    },
    put(map, key, value) {
      const had = map.has(key)
      const before = map.get(key)
      noteOther(map)
      undoLater(isComputedOf(map), () => (had ? void map.set(key, before as typeof value) : void map.delete(key)))
      map.set(key, value)
    },
    drop(map, key) {
      if (!map.has(key)) return false
      const before = map.get(key)!
      noteOther(map)
      undoLater(isComputedOf(map), () => void map.set(key, before))
      return map.delete(key)
    },
    statement(work, kept) {
      const outer = undo
      undo = []
      try {
        const result = work(database)
        kept?.push(...undo)
        return result
      } catch (error) {
        forget()
        undoAll(undo)
        throw error
      } finally {
        undo = outer
      }
    },
    locks: new Map(),
  }
  return database
}

export const undoAll = (undo: Undo): void => {
  while (undo.length > 0) undo.pop()!()
}
