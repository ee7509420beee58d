import { type DatabaseTls, readDatabaseAddress } from '../domain/database-address.ts'
import { readOnlyCode } from '../domain/database-gone.ts'
import { driver } from './driver.ts'
import { openForDriver, type Place, placeOf, ServerStream } from './server-socket.ts'

/**
 * Finds the host of an address with several hosts that takes writes: every new connection goes there.
 *
 * All hosts are asked at once. If two take writes, because an old primary came back after another was promoted, the one on
 * the later timeline is chosen.
 */
const findPrimary = (url: string): Promise<Place> => {
  const known = found.get(url)
  if (known && performance.now() - known.at < youngMs) return known.primary
  const primary = askAll(url)
  found.set(url, { primary, at: performance.now() })
  primary.catch(() => found.delete(url))
  return primary
}

/** A pool opens many connections at once: one result serves them all. */
const youngMs = 1_000
const found = new Map<string, { primary: Promise<Place>; at: number }>()

const askAll = async (address: string): Promise<Place> => {
  const { each, tls } = readDatabaseAddress(address)!
  const answers = await Promise.allSettled(each.map((url) => askOne(url, tls)))
  const writable = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const [best] = writable.filter(({ timeline }) => timeline !== null).sort((a, b) => b.timeline! - a.timeline!)
  if (best) return best
  if (writable.length > 0) throw Object.assign(new Error('no host of the address takes writes'), { code: readOnlyCode })
  throw (answers[0] as PromiseRejectedResult).reason
}

/** The timeline of a server; one that takes no writes has none of its own. */
const askOne = async (url: string, tls: DatabaseTls | null): Promise<Place & { timeline: number | null }> => {
  const place = placeOf(url)
  const own = { ssl: false, socket: () => openForDriver(async () => place, tls) }
  const sql = driver(url, {
    ...own,
    max: 1,
    connect_timeout: 2,
    prepare: false,
    fetch_types: false,
    onnotice: () => {},
  })
  try {
    const [row] = await sql<{ timeline: number | null }[]>`
      select case when not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
                  then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`
    return { ...place, timeline: row!.timeline }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The address for one driver, and the finder of the host that its connections go to. */
const reach = (address: string) => {
  const { each = [address], tls = null } = readDatabaseAddress(address) ?? {}
  const url = each[0]!
  const find = each.length > 1 ? () => findPrimary(address) : async () => placeOf(url)
  return { url, tls, find, own: tls !== null || each.length > 1 }
}

/**
 * For postgres.js: the address, and the socket of each connection. Its own socket would hold small packets back, so that
 * the statement after a COPY waits 40 ms.
 */
export const reachForDriver = (address: string) => {
  const { url, tls, find } = reach(address)
  return { url, options: { ssl: false, socket: () => openForDriver(find, tls) } }
}

/** The same for node-postgres. */
export const reachForQueue = (address: string): { connectionString: string; stream?: () => ServerStream } => {
  const { url, tls, find, own } = reach(address)
  return { connectionString: url, ...(own && { ssl: false, stream: () => new ServerStream(find, tls) }) }
}
