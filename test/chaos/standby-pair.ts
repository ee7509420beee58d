import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../src/home/free-port.ts'
import { connect } from '../../src/store/connect.ts'
import { chooseServerUser, serverEnvironment } from '../../src/store/embedded/place.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

/** Where Debian keeps the newest installed PostgreSQL; the embedded one has no `pg_basebackup`. */
const programs = globSync('/usr/lib/postgresql/*/bin/pg_basebackup').map(dirname).sort().at(-1)

/** Whether this machine can run a standby; Debian's package is `postgresql`. */
export const hasStandbys = programs !== undefined

/** A primary and its standby, on two ports of this machine; the address names both. */
export type StandbyPair = AsyncDisposable & {
  createDatabase(): Promise<{ url: string; drop(): Promise<void> }>
  /** From here on no commit reaches the standby. */
  fallBehind(): Promise<void>
  /** Kills the primary at once. */
  killPrimary(): Promise<void>
  /** Promotes the standby. */
  promote(): Promise<void>
  /** Creates a new standby of the promoted server, in the place of the dead one. */
  makeStandby(): Promise<void>
}

type Place = { data: string; port: number; pid: number | null }

const settings = [
  'fsync=off',
  'max_connections=200',
  'shared_buffers=64MB',
  'wal_keep_size=256MB',
  'unix_socket_directories=',
]

/** With `synchronous`, no commit is acknowledged before the standby has it. */
export const startStandbyPair = async ({ synchronous }: { synchronous: boolean }): Promise<StandbyPair> => {
  await using starting = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'vigia-chaos-standby-'))
  await chmod(home, 0o755)
  starting.defer(() => rm(home, { recursive: true, force: true }))
  const user = await chooseServerUser(join(home, 'servers'))
  const serversFolder = join(home, 'servers')
  await mkdir(serversFolder, { mode: 0o700 })
  if (user.uid !== undefined) await chown(serversFolder, user.uid, user.gid!)
  const password = randomBytes(12).toString('hex')
  const options = { ...user, cwd: '/', env: serverEnvironment({ PGPASSWORD: password }) }
  let made = 0
  const newPlace = (port: number): Place => ({ data: join(serversFolder, `data-${++made}`), port, pid: null })
  let primary = newPlace(await freePort())
  let standby = newPlace(await freePort())
  const ports = [primary.port, standby.port]

  const addressOf = (places: number[], database: string) =>
    `postgres://vigia:${password}@${places.map((port) => `127.0.0.1:${port}`).join(',')}/${database}`

  const ask = async (port: number, statement: string): Promise<Record<string, unknown>[]> => {
    const sql = connect(addressOf([port], 'postgres'), { max: 1, name: 'vigia chaos' })
    return sql.unsafe(statement).finally(() => sql.end({ timeout: 1 })) as never
  }

  const start = async (place: Place, more: string[] = []): Promise<void> => {
    const given = [...settings, ...more, `port=${place.port}`, 'listen_addresses=127.0.0.1'].flatMap((each) => [
      '-c',
      each,
    ])
    const child = spawn(join(programs!, 'postgres'), ['-D', place.data, ...given], { ...options, stdio: 'ignore' })
    await once(child, 'spawn')
    child.unref()
    place.pid = child.pid!
    await until(async () => (await ask(place.port, 'select 1').catch(() => [])).length > 0, 30_000)
  }

  const follow = async (): Promise<void> => {
    const from = addressOf([primary.port], 'postgres')
    const args = ['-D', standby.data, '-d', from, '-R', '-X', 'stream', '-c', 'fast']
    await run(join(programs!, 'pg_basebackup'), args, options)
    await start(standby)
    await until(
      async () => (await ask(primary.port, "select from pg_stat_replication where state = 'streaming'")).length > 0,
      30_000,
    )
  }

  const passwordFile = join(serversFolder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined) await chown(passwordFile, user.uid, user.gid!)
  const choices = [
    '--username=vigia',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]
  await run(join(programs!, 'initdb'), ['-D', primary.data, ...choices], options)
  starting.defer(async () => {
    for (const { pid } of [primary, standby]) if (pid) await killTree(pid)
  })
  await start(primary)
  await follow()
  if (synchronous) {
    await ask(primary.port, "alter system set synchronous_standby_names = '*'")
    await ask(primary.port, 'select pg_reload_conf()')
    await until(
      async () => (await ask(primary.port, "select from pg_stat_replication where sync_state = 'sync'")).length > 0,
    )
  }
  const started = starting.move()

  return {
    async createDatabase() {
      const name = `chaos_${randomBytes(6).toString('hex')}`
      await ask(primary.port, `create database ${name}`)
      return { url: `${addressOf(ports, name)}?target_session_attrs=read-write`, drop: async () => {} }
    },
    async fallBehind() {
      const [sender] = await ask(primary.port, 'select pid from pg_stat_replication')
      process.kill(sender!.pid as number, 'SIGSTOP')
    },
    async killPrimary() {
      await killTree(primary.pid!)
      primary.pid = null
    },
    async promote() {
      await ask(standby.port, 'select pg_promote()')
      const dead = primary
      primary = standby
      standby = newPlace(dead.port)
    },
    makeStandby: follow,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** The postmaster is stopped first, so that it does not see a child die; then all of them are killed together. */
const killTree = async (pid: number): Promise<void> => {
  if (!isThere(pid)) return
  process.kill(pid, 'SIGSTOP')
  for (const each of [...(await childrenOf(pid)), pid]) if (isThere(each)) process.kill(each, 'SIGKILL')
  await until(async () => !isThere(pid), 10_000)
}

const childrenOf = async (pid: number): Promise<number[]> => {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(all.map(async (name) => [Number(name), await parentOf(name)] as const))
  return parents.filter(([, parent]) => parent === pid).map(([child]) => child)
}

const parentOf = async (pid: string): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(/^.*\) \S (\d+)/.exec(stat)?.[1] ?? 0)
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
