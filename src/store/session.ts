import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Database, type Sql } from './connect.ts'

const known = new Map<string, Promise<boolean>>()

/**
 * Whether each connection to this address has a session of its own on the server, checked once at the start.
 *
 * Only then may statements be kept there by name: behind a pool in transaction mode the next transaction may get another
 * session, which knows none of them. If this is uncertain the answer is no, and every statement is sent in full.
 */
export const hasOwnSession = (url: string): Promise<boolean> => {
  const asked = known.get(url) ?? hasSession(url)
  known.set(url, asked)
  asked.catch(() => known.delete(url))
  return asked
}

/**
 * A server greets each connection with the number of the process that serves it. A pool greets with a number of its own, or
 * with that of a process which others use as well: then, while one of two connections is in a transaction, another process
 * answers on the other.
 */
const hasSession = async (url: string): Promise<boolean> => {
  const [one, two] = [connect(url, { max: 1 }), connect(url, { max: 1 })]
  try {
    if (!(await isGreeter(one))) return false
    return (await aloneBeside(one, two)) && (await aloneBeside(two, one))
  } finally {
    await Promise.all([one.end({ timeout: 1 }), two.end({ timeout: 1 })])
  }
}

const aloneBeside = (busy: Database, idle: Sql): Promise<boolean> =>
  busy.begin(async (tx) => (await isGreeter(tx)) && (await isGreeter(idle)))

const isGreeter = async (sql: Sql): Promise<boolean> => {
  const answer = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return answer[0]!.pid === answer.state.pid
}

const listenMs = 1_000

/**
 * Whether a connection receives notifications. Without a session of its own this is tried: a pool in session mode delivers
 * them, one in transaction mode does not.
 */
export const isNotified = async (url: string): Promise<boolean> => {
  if (await hasOwnSession(url)) return true
  const trial = connect(url, { max: 1, name: 'vigia listener' })
  const channel = `vigia_try_${randomBytes(6).toString('hex')}`
  const heard = Promise.withResolvers<boolean>()
  try {
    const { unlisten } = await trial.listen(channel, () => heard.resolve(true))
    await trial.notify(channel, '')
    const isHeard = await Promise.race([heard.promise, pause(listenMs, false)])
    await unlisten()
    return isHeard
  } catch {
    return false
  } finally {
    await trial.end({ timeout: 1 })
  }
}
