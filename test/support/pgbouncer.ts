import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/home/free-port.ts'
import { until } from './until.ts'

export type PgBouncer = AsyncDisposable & {
  /** The same database through the pool. */
  through(databaseUrl: string): string
}

/** Debian installs it beside the programs of the administrator. */
const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => spawnSync(name, ['--version']).status === 0)

/** Whether it is installed on this machine; Debian's package is `pgbouncer`. */
export const hasPgBouncer = program !== undefined

/**
 * PgBouncer in front of a server, on a free port of this machine.
 *
 * In transaction mode it rotates the sessions, so that consecutive transactions of a connection get different ones where
 * possible.
 */
export const startPgBouncer = async (
  serverUrl: string,
  mode: 'transaction' | 'session' = 'transaction',
): Promise<PgBouncer> => {
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'vigia-pgbouncer-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, settingsOf(new URL(serverUrl), port, mode))
  await chmod(folder, 0o755)
  const child = spawn(program!, [...(process.getuid?.() === 0 ? ['-u', 'postgres'] : []), file], { stdio: 'ignore' })
  starting.defer(() => stop(child))
  await until(async () => isOpen(port), 10_000)
  const started = starting.move()
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(port)
      return url.href
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** Anyone on this port is the user of the server's address: it listens only on loopback, for a test. */
const settingsOf = ({ hostname, port, username, password }: URL, ownPort: number, mode: string): string => `
[databases]
* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
server_round_robin = 1
default_pool_size = ${mode === 'session' ? 40 : 16}
max_client_conn = 1000
query_wait_timeout = 60
log_connections = 0
log_disconnections = 0
`

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
