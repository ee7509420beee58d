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

/** How connections to PostgreSQL are secured, as libpq's parameters of an address say. */
export type DatabaseTls = {
  mode: 'prefer' | 'require' | 'verify-ca' | 'verify-full'
  /** A file with the authorities to trust; null stands for those of the system. */
  root: string | null
  cert: string | null
  key: string | null
}

/**
 * Null without TLS, which is the default. As in libpq, an authority that is named is also checked under `require`.
 *
 * `allow` is read as `prefer`: a server that offers TLS is never spoken to in clear text.
 */
const readTls = (parameters: URLSearchParams): DatabaseTls | null => {
  const mode = modes[modeOf(parameters)] ?? null
  if (mode === null) return null
  const root = parameters.get('sslrootcert')
  return {
    mode: root && mode === 'require' ? 'verify-ca' : mode,
    root: root === 'system' ? null : root,
    cert: parameters.get('sslcert'),
    key: parameters.get('sslkey'),
  }
}

/** What is wrong with the parameters, whatever the files hold. */
const tlsFault = (parameters: URLSearchParams): string | null => {
  const mode = modeOf(parameters)
  const [unknown] = unknownNames.filter((name) => parameters.has(name))
  if (!(mode in modes)) return `sslmode=${mode} is not one of ${modeNames.join(', ')}`
  if (unknown) return `${unknown} is not supported; remove it`
  if (parameters.has('sslcert') !== parameters.has('sslkey')) return 'sslcert and sslkey are needed together'
  if (readTls(parameters)?.mode === 'verify-ca' && readTls(parameters)!.root === null)
    return 'sslmode=verify-ca needs sslrootcert, the file with your authority; with those of the system use verify-full'
  return null
}

/** Neither driver has these, and the server would take them for settings of its own. */
const unknownNames = ['sslcrl', 'sslcrldir', 'sslnegotiation', 'sslpassword', 'sslsni', 'channel_binding', 'gssencmode']

const modeNames = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** `ssl` is what other drivers call it, and `no-verify` what one of them calls `require`. */
const modes: Record<string, DatabaseTls['mode'] | null> = {
  disable: null,
  allow: 'prefer',
  prefer: 'prefer',
  require: 'require',
  'no-verify': 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
  true: 'verify-full',
  false: null,
}

const modeOf = (parameters: URLSearchParams): string =>
  parameters.get('sslmode') ??
  parameters.get('ssl') ??
  (parameters.get('sslrootcert') ? 'verify-full' : parameters.get('sslcert') ? 'require' : 'disable')

/** The parameters that are handled here; no driver gets to see them. */
const tlsNames = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey']
