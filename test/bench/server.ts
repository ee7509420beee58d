import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { connect } from '../../src/store/connect.ts'
import { startEmbedded } from '../../src/store/embedded/start-embedded.ts'
import { migrate } from '../../src/store/migrate.ts'

/** A PostgreSQL of its own, set as Vigia sets it in production: what is committed is on the disk. */
export type Server = AsyncDisposable & {
  /** A database with Vigia's schema, or a copy of another one. */
  database(copyOf?: Database): Promise<Database>
  /** What its processes used of the processors since it started, those that ended included. */
  processorSeconds(): Promise<number>
}

export type Database = AsyncDisposable & { name: string; url: string }

export const openServer = async (): Promise<Server> => {
  const home = await mkdtemp(join(tmpdir(), 'vigia-bench-postgres-'))
  await chmod(home, 0o755)
  const { url: serverUrl, data, release } = await startEmbedded({ home })

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
      if (!copyOf) await migrateAt(url)
      // What came before is written out now, and not on the account of what is measured next.
      await administer('checkpoint')
      return { name, url, [Symbol.asyncDispose]: () => administer(`drop database ${name} with (force)`) }
    },
    processorSeconds: () => processorSeconds(data),
    async [Symbol.asyncDispose]() {
      await release()
      await rm(dirname(data), { recursive: true, force: true })
      await rm(home, { recursive: true, force: true })
    },
  }
}

const ticksPerSecond = 100

const processorSeconds = async (data: string): Promise<number> => {
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const ticks = await Promise.all([
    ticksOf(`${pid}`, true),
    ...children
      .trim()
      .split(' ')
      .map((child) => ticksOf(child, false).catch(() => 0)),
  ])
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond
}

/** Its own, and where asked those of its children that have ended. (proc(5): fields 14 to 17 of stat) */
const ticksOf = async (pid: string, withEnded: boolean): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return fields.slice(11, withEnded ? 15 : 13).reduce((sum, each) => sum + each, 0)
}

const migrateAt = async (url: string): Promise<void> => {
  const sql = connect(url, { max: 1 })
  await migrate(sql).finally(() => sql.end())
}
