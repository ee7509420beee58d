import { setTimeout as pause } from 'node:timers/promises'
import { type ConstructorOptions, type Db, PgBoss } from 'pg-boss'
import type { Sql } from '../store/connect.ts'
import { reachForQueue } from '../store/primary.ts'

export type Boss = PgBoss

type Log = { error(facts: object, phrase: string): void; warn(facts: object, phrase: string): void }

/**
 * Starts pg-boss on its own pool and schema, beside ours. One worker supervises it for all (see `startEngine`).
 *
 * A queue skips keys that its cache shows as active, so the cache must be short-lived: with the default of a minute, the
 * job of a dead worker would wait that long.
 */
export const startBoss = async (url: string, log: Log, { listens = true } = {}): Promise<Boss> => {
  const options = {
    ...reachForQueue(url),
    application_name: 'vigia pg-boss',
    max: 4,
    schedule: false,
    useListenNotify: listens,
    supervise: false,
    monitorIntervalSeconds: 1,
    queueCacheIntervalSeconds: 2,
    // Otherwise each worker would query the state of every job table every second.
    monitorVacuum: false,
  }
  const boss = await startAllowed(options, log)
  boss.on('warning', (warning) => log.warn({ warning }, 'queue warning'))
  return boss
}

/** A role that owns the schema of the queues and nothing else may not create one, not even with "if not exists". */
const startAllowed = async (options: ConstructorOptions, log: Log): Promise<Boss> => {
  const boss = new PgBoss(options)
  boss.on('error', (error) => log.error({ err: error }, 'queue error'))
  try {
    await boss.start()
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    if ((error as { code?: string }).code !== '42501' || options.createSchema === false) throw error
    return startAllowed({ ...options, createSchema: false }, log)
  }
}

/**
 * Lets running jobs end, for at most `withinMs`, and closes the queues.
 *
 * pg-boss checks only twice a second whether they have ended, and a command that is done would wait for that.
 */
export const stopBoss = async (boss: Boss, queues: readonly string[], withinMs: number): Promise<void> => {
  const timeout = new AbortController()
  const ended = Promise.allSettled(queues.map((name) => boss.offWork(name, { wait: true })))
  const over = pause(withinMs, undefined, { signal: timeout.signal }).catch(() => {})
  await Promise.race([ended, over])
  timeout.abort()
  await boss.stop({ graceful: false })
}

/**
 * Runs a pg-boss call inside our transaction: its job and our rows commit together or not at all. Columns have the names of
 * our driver there, and pg-boss reads only `id`.
 */
export const inTransaction = (tx: Sql): { db: Db } => ({
  db: {
    async executeSql(text, values = []) {
      return { rows: await tx.unsafe(text, values.map((value) => bind(tx, value)) as never[], { prepare: true }) }
    },
  },
})

/** A JSON text bound by its inferred type would be encoded a second time. */
const bind = (tx: Sql, value: unknown) => (typeof value === 'string' ? tx.typed(value as never, 25) : value)

/** Opens pg-boss to send jobs only: it takes none, and leaves supervision to the workers. */
export const openSender = async (url: string, log: Log): Promise<AsyncDisposable & { boss: Boss }> => {
  const options = {
    ...reachForQueue(url),
    application_name: 'vigia sender',
    max: 1,
    schedule: false,
    supervise: false,
  }
  const boss = await startAllowed(options, log)
  return { boss, [Symbol.asyncDispose]: () => boss.stop({ graceful: false }) }
}
