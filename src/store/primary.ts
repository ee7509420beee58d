import { connect as openSocket, Socket } from 'node:net'
import { readDatabaseAddress } from '../domain/database-address.ts'
import { readOnlyCode } from '../domain/read-only.ts'
import { driver } from './driver.ts'

/** The host of an address with several hosts that takes writes now. */
type Primary = { host: string; port: number }

/**
 * Finds the host of an address that takes writes: every new connection goes there.
 *
 * All hosts are asked at once. If two take writes, because an old primary came back after another was promoted, the one on
 * the later timeline is chosen.
 */
const findPrimary = (url: string): Promise<Primary> => {
  const known = found.get(url)
  if (known && performance.now() - known.at < youngMs) return known.primary
  const primary = askAll(readDatabaseAddress(url)!.each)
  found.set(url, { primary, at: performance.now() })
  primary.catch(() => found.delete(url))
  return primary
}

/** A pool opens many connections at once: one result serves them all. */
const youngMs = 1_000
const found = new Map<string, { primary: Promise<Primary>; at: number }>()

const askAll = async (urls: string[]): Promise<Primary> => {
  const answers = await Promise.allSettled(urls.map(askOne))
  const writable = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const [best] = writable.filter(({ timeline }) => timeline !== null).sort((a, b) => b.timeline! - a.timeline!)
  if (best) return best
  if (writable.length > 0) throw Object.assign(new Error('no host of the address takes writes'), { code: readOnlyCode })
  throw (answers[0] as PromiseRejectedResult).reason
}

/** The timeline of a server; one that takes no writes has none of its own. */
const askOne = async (url: string): Promise<Primary & { timeline: number | null }> => {
  const sql = driver(url, { max: 1, connect_timeout: 2, prepare: false, fetch_types: false, onnotice: () => {} })
  try {
    const [row] = await sql<{ timeline: number | null }[]>`
      select case when not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
                  then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`
    const { hostname, port } = new URL(url)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432), timeline: row!.timeline }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * A socket to the primary for postgres.js, which greets the server as soon as it has one.
 *
 * It loses a connection for good if it does not get a socket, so without a primary it gets one that fails.
 */
export const socketToPrimary = async (url: string): Promise<Socket> => {
  try {
    const { host, port } = await findPrimary(url)
    // By this name the driver checks the certificate.
    return Object.assign(openSocket({ host, port }).setNoDelay(true), { host })
  } catch (error) {
    const none = new Socket()
    setImmediate(() => none.destroy(error as Error))
    return none
  }
}

/** For node-postgres, which knows one host only: with several hosts, each of its sockets goes to the one that takes writes. */
export const placeOfPrimary = (url: string): { connectionString: string; stream?: () => Socket } => {
  const { each = [url] } = readDatabaseAddress(url) ?? {}
  return { connectionString: each[0]!, ...(each.length > 1 && { stream: () => socketThatFinds(url) }) }
}

/** The caller connects it; whatever address it is given, it connects to the primary. */
const socketThatFinds = (url: string): Socket => {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  socket.connect = (() => {
    findPrimary(url).then(
      ({ host, port }) => connect(port, host),
      (error) => socket.destroy(error),
    )
    return socket
  }) as typeof socket.connect
  return socket
}
