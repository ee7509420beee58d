import { PgBoss } from 'pg-boss'
import type { Boss } from './boss.ts'

type Log = { error(facts: object, phrase: string): void }

/** Opens pg-boss for someone who only puts jobs into queues: it takes none, and leaves supervision to the workers. */
export const openSender = async (url: string, log: Log): Promise<AsyncDisposable & { boss: Boss }> => {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'vigia sender',
    max: 1,
    schedule: false,
    supervise: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue trouble'))
  await boss.start()
  return { boss, [Symbol.asyncDispose]: () => boss.stop({ graceful: false }) }
}
