/** An address of PostgreSQL, taken apart: the same address for each of its hosts alone. */
type DatabaseAddress = {
  /** One for each host, in their order. */
  each: string[]
  /** Which kind of server is wanted, where the address says so. */
  wanted: string | null
  database: string
  /** As people name it: `db1:5432, db2:5432`. */
  hosts: string
}

/** Null for what is no address. Several hosts stand side by side, as libpq takes them: `postgres://u:p@db1,db2:5433/vigia`. */
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

/** It is our own to heed: one driver reads it otherwise than libpq, and the other passes it on to the server. */
const withoutWanted = (url: URL): string => {
  if (!url.searchParams.has(wantedName)) return url.href
  url.searchParams.delete(wantedName)
  return url.href
}
