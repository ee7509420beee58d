import { setTimeout as pause } from 'node:timers/promises'
import { type ConstructorOptions, type Db, PgBoss } from 'pg-boss'
import type { Sql } from '../store/connect.ts'
import { placeOfPrimary } from '../store/primary.ts'

export type Boss = PgBoss

type Log = { error(facts: object, phrase: string): void; warn(facts: object, phrase: string): void }

/**
 * Starts pg-boss on its own pool and schema, beside ours. Where notifications do not come through it polls twice a second.
 *
 * It looks for dead workers every second, so that their jobs are taken over within 15 s. A queue passes over keys that
 * its cache says are at work, so the cache must be young: after a minute, its default, a job left behind waits that long.
 */
export const startBoss = async (url: string, log: Log, { listens = true } = {}): Promise<Boss> => {
  const options = {
    ...placeOfPrimary(url),
    application_name: 'vigia pg-boss',
    max: 4,
    schedule: false,
    useListenNotify: listens,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    queueCacheIntervalSeconds: 1,
    // Each worker would ask for the state of every table of jobs, every second.
    monitorVacuum: false,
  }
  const boss = await startAllowed(options, log)
  boss.on('warning', (warning) => log.warn({ warning }, 'queue warning'))
  return boss
}

/** A role that owns the schema of the queues and nothing else may not make one, not even "if it does not exist". */
const startAllowed = async (options: ConstructorOptions, log: Log): Promise<Boss> => {
  const boss = new PgBoss(options)
  boss.on('error', (error) => log.error({ err: error }, 'queue trouble'))
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
 * Lets the jobs in hand end, for so long at most, and closes the queues.
 *
 * Left to itself pg-boss looks only twice a second whether they have ended, and a command that is done waits for that.
 */
export const stopBoss = async (boss: Boss, queues: readonly string[], withinMs: number): Promise<void> => {
  const timeout = new AbortController()
  const ended = Promise.allSettled(queues.map((name) => boss.offWork(name, { wait: true })))
  const over = pause(withinMs, undefined, { signal: timeout.signal }).catch(() => {})
  await Promise.race([ended, over])
  timeout.abort()
  await boss.stop({ graceful: false })
}

/** Runs a pg-boss call inside our transaction: its job and our rows commit together or not at all. */
export const inTransaction = (tx: Sql): { db: Db } => ({
  db: {
    async executeSql(text, values = []) {
      return { rows: await tx.unsafe(text, values.map((value) => bind(tx, value)) as never[], { prepare: true }) }
    },
  },
})

/** A JSON text bound by its inferred type would be encoded a second time. */
const bind = (tx: Sql, value: unknown) => (typeof value === 'string' ? tx.typed(value as never, 25) : value)

/** Opens pg-boss for someone who only puts jobs into queues: it takes none, and leaves supervision to the workers. */
export const openSender = async (url: string, log: Log): Promise<AsyncDisposable & { boss: Boss }> => {
  const options = {
    ...placeOfPrimary(url),
    application_name: 'vigia sender',
    max: 1,
    schedule: false,
    supervise: false,
  }
  const boss = await startAllowed(options, log)
  return { boss, [Symbol.asyncDispose]: () => boss.stop({ graceful: false }) }
}
