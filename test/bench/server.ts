import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { connect } from '../../src/store/connect.ts'
import { startEmbedded } from '../../src/store/embedded/start-embedded.ts'
import { migrate } from '../../src/store/migrate.ts'
import { processorSecondsOfServer } from './processor-time.ts'

/** A separate PostgreSQL with the settings that Vigia uses in production: commits are on the disk. */
export type Server = AsyncDisposable & {
  /** A database with Vigia's schema, or a copy of another one. */
  database(copyOf?: Database): Promise<Database>
  /** The processor time of its processes since the start, with those that have ended. */
  processorSeconds(): Promise<number>
}

export type Database = AsyncDisposable & { name: string; url: string }

export const openServer = async (): Promise<Server> => {
  const home = await mkdtemp(join(tmpdir(), 'vigia-bench-postgres-'))
  await chmod(home, 0o755)
  const { url: serverUrl, data, release } = await startEmbedded({ home, settings: counting })

  const administer = async (...statements: string[]): Promise<void> => {
    const sql = connect(serverUrl, { max: 1, name: 'vigia bench' })
    for (const statement of statements) await sql.unsafe(statement)
    await sql.end()
  }

  return {
    async database(copyOf) {
      const name = `bench_${randomBytes(6).toString('hex')}`
      await administer(`create database ${name} template ${copyOf?.name ?? 'template1'}`)
      const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
      await prepare(url, copyOf !== undefined)
      // Earlier writes are flushed now, so that they do not count in the next measurement.
      await administer('checkpoint')
      return { name, url, [Symbol.asyncDispose]: () => administer(`drop database ${name} with (force)`) }
    },
    processorSeconds: () => processorSecondsOfServer(data),
    async [Symbol.asyncDispose]() {
      await release()
      await rm(dirname(data), { recursive: true, force: true })
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** A database whose statements are counted tracks them itself, so that no other is slowed. */
const counting = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'none',
  'pg_stat_statements.track_utility': 'off',
}

/** A copy has lost nothing: without a server to remember, its workers need not wait until everything under way has ended. */
const prepare = async (url: string, isCopy: boolean): Promise<void> => {
  const sql = connect(url, { max: 1 })
  await (isCopy ? sql`update vigia.fleet set server = null` : migrate(sql))
  await sql.end()
}
