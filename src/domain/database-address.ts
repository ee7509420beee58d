/** An address of PostgreSQL in parts, with one address for each of its hosts. */
type DatabaseAddress = {
  /** One for each host, in the order of the address. */
  each: string[]
  /** Which kind of server is wanted, where the address says so. */
  wanted: string | null
  database: string
  /** The hosts as people name them: `db1:5432, db2:5432`. */
  hosts: string
}

/** Null if it is not an address. Several hosts may be listed, as in libpq: `postgres://u:p@db1,db2:5433/vigia`. */
export const readDatabaseAddress = (text: string): DatabaseAddress | null => {
  const [, before, hosts, after] = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?#]*)(.*)$/.exec(text) ?? []
  if (before === undefined || hosts === undefined || after === undefined) return null
  const urls = hosts.split(',').map((host) => URL.parse(`${before}${host}${after}`))
  const [first] = urls
  if (!first || !urls.every((url) => url !== null)) return null
  const wanted = first.searchParams.get(wantedName)
  return {
    each: urls.map(withoutWanted),
    wanted,
    database: decodeURIComponent(first.pathname.slice(1)),
    hosts: urls.map(({ host }) => host).join(', '),
  }
}

const wantedName = 'target_session_attrs'

/** We handle this parameter ourselves: one driver reads it differently from libpq, the other sends it to the server. */
const withoutWanted = (url: URL): string => {
  if (!url.searchParams.has(wantedName)) return url.href
  url.searchParams.delete(wantedName)
  return url.href
}
