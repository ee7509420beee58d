import { type DatabaseTls, readTls, tlsFault, tlsNames } from './database-tls.ts'

/** An address of PostgreSQL in parts, with one address for each of its hosts. */
export type DatabaseAddress = {
  /** One for each host, in the order of the address. */
  each: string[]
  /** Which kind of server is wanted, where the address says so. */
  wanted: string | null
  /** Null without TLS. */
  tls: DatabaseTls | null
  /** What is wrong with its parameters of TLS. */
  fault: string | null
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
  const parameters = new URLSearchParams(first.search)
  return {
    each: urls.map(withoutOurs),
    wanted: parameters.get(wantedName),
    tls: readTls(parameters),
    fault: tlsFault(parameters),
    database: decodeURIComponent(first.pathname.slice(1)),
    hosts: urls.map(({ host }) => host).join(', '),
  }
}

const wantedName = 'target_session_attrs'

/** We handle these parameters ourselves: the drivers read them differently from libpq, or send them to the server. */
const withoutOurs = (url: URL): string => {
  const ours = [wantedName, ...tlsNames].filter((name) => url.searchParams.has(name))
  for (const name of ours) url.searchParams.delete(name)
  return url.href
}
