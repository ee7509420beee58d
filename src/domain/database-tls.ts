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
export const readTls = (parameters: URLSearchParams): DatabaseTls | null => {
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
export const tlsFault = (parameters: URLSearchParams): string | null => {
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
export const tlsNames = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey']
