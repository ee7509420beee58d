import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { isIP, connect as openSocket, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import {
  type ConnectionOptions,
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type PeerCertificate,
  type TLSSocket,
} from 'node:tls'
import type { DatabaseTls } from '../domain/database-address.ts'

/** A host of PostgreSQL, or the folder of its local socket. */
export type Place = { host: string; port: number }

export const placeOf = (url: string): Place => {
  const { hostname, port } = new URL(url)
  const host = decodeURIComponent(hostname).replace(/^\[|\]$/g, '') || process.env.PGHOST || 'localhost'
  return { host, port: Number(port || process.env.PGPORT || 5432) }
}

type Find = () => Promise<Place>

/**
 * A connected socket for postgres.js, which greets the server as soon as it has one.
 *
 * It loses a connection for good if it does not get a socket, so without a server it gets one that fails. It never answers a
 * statement that it sends between the error of a socket and its close, so it gets both at once.
 */
export const openForDriver = async (find: Find, tls: DatabaseTls | null): Promise<Socket> => {
  try {
    return failAtClose(await open(await find(), tls))
  } catch (error) {
    const none = new Socket()
    setImmediate(() => none.destroy(error as Error))
    return none
  }
}

const failAtClose = (socket: Socket): Socket => {
  const emit = socket.emit.bind(socket)
  let failure: Error | undefined
  socket.emit = (name: string, ...values: unknown[]) => {
    if (name === 'error') failure = values[0] as Error
    else if (name === 'close' && failure) emit('error', failure)
    return name === 'error' || emit(name, ...values)
  }
  return socket
}

const open = async (place: Place, tls: DatabaseTls | null): Promise<Socket> => {
  const isLocal = place.host.startsWith('/')
  const socket = openSocket(isLocal ? { path: `${place.host}/.s.PGSQL.${place.port}` } : place).setNoDelay(true)
  const late = Object.assign(new Error(`no answer within ${limitMs / 1000} s`), { code: 'CONNECT_TIMEOUT' })
  const timer = setTimeout(() => socket.destroy(late), limitMs)
  try {
    await once(socket, 'connect')
    const opened = tls && !isLocal ? await secureSocket(socket, place.host, tls) : socket
    // The caller listens one turn later.
    return opened.on('error', () => {})
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const limitMs = 10_000

/** What node-postgres connects instead of a socket of its own; whatever address it names, this goes to the server found. */
export class ServerStream extends Duplex {
  readonly #find: Find
  readonly #tls: DatabaseTls | null
  #socket: Socket | undefined

  constructor(find: Find, tls: DatabaseTls | null) {
    super()
    this.#find = find
    this.#tls = tls
  }

  connect(): this {
    this.#find()
      .then((place) => open(place, this.#tls))
      .then(
        (socket) => this.#attach(socket),
        (error) => this.destroy(error),
      )
    return this
  }

  #attach(socket: Socket): void {
    if (this.destroyed) return void socket.destroy()
    this.#socket = socket
    socket.on('data', (chunk) => this.push(chunk) || socket.pause())
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
    this.emit('connect')
  }

  override _read(): void {
    this.#socket?.resume()
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket!.write(chunk, done)
  }

  override _final(done: () => void): void {
    if (this.#socket) this.#socket.end(done)
    else done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket?.destroy()
    done(error)
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(on: boolean, delayMs: number): this {
    this.#socket?.setKeepAlive(on, delayMs)
    return this
  }

  ref(): this {
    this.#socket?.ref()
    return this
  }

  unref(): this {
    this.#socket?.unref()
    return this
  }
}

/** Asks the server of a new connection for TLS, and checks its certificate as `sslmode` says. */
const secureSocket = async (socket: Socket, host: string, tls: DatabaseTls): Promise<Socket> => {
  const options = optionsOf(tls)
  socket.write(request)
  const reply = await nextEvent<Buffer>(socket, 'data')
  if (reply.toString('latin1') === 'S') return startTls(socket, host, tls, options)
  if (tls.mode === 'prefer') return socket
  throw failure(`the server offers no TLS, and the address asks for it (sslmode=${tls.mode})`)
}

/** The packet that asks for TLS. A server answers it with one byte: more would come from somebody in between. */
const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

const startTls = async (
  socket: Socket,
  host: string,
  tls: DatabaseTls,
  options: ConnectionOptions,
): Promise<TLSSocket> => {
  const secured = connectTls({ ...options, socket, host, ...(isIP(host) === 0 && { servername: host }) })
  await nextEvent(secured, 'secureConnect').catch((cause: NodeJS.ErrnoException) => {
    throw failure(`TLS with the server failed: ${cause.message || cause.code}`, cause)
  })
  const verifies = tls.mode === 'verify-ca' || tls.mode === 'verify-full'
  if (secured.authorized || !verifies) return secured
  const problem = explain(String(secured.authorizationError), secured.getPeerCertificate(), host, tls)
  secured.destroy()
  throw failure(problem)
}

/** The files are read for each connection: a certificate that was renewed serves the next one. */
const optionsOf = ({ mode, root, cert, key }: DatabaseTls): ConnectionOptions => {
  const verifies = mode === 'verify-ca' || mode === 'verify-full'
  const authorities = verifies && (root ? read('sslrootcert', root) : systemAuthorities())
  if (root && authorities) tryFiles('sslrootcert', () => new X509Certificate(authorities as Buffer))
  const own = cert && key ? { cert: read('sslcert', cert), key: read('sslkey', key) } : {}
  return {
    // Node would close the connection first, and nobody could say which certificate it was.
    rejectUnauthorized: false,
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    secureContext: tryFiles('sslcert and sslkey', () =>
      createSecureContext({ ...(authorities && { ca: authorities }), ...own }),
    ),
  }
}

/** OpenSSL names no file in what it says about one. */
const tryFiles = <T>(names: string, load: () => T): T => {
  try {
    return load()
  } catch (cause) {
    throw failure(`${names}: ${(cause as Error).message}`, cause)
  }
}

const systemAuthorities = (): string[] => [...getCACertificates('default'), ...getCACertificates('system')]

const read = (name: string, file: string): Buffer => tryFiles(name, () => readFileSync(file))

const nextEvent = <T>(socket: Socket, name: string): Promise<T> =>
  new Promise((resolve, reject) => {
    socket.once(name, resolve).once('error', reject)
    socket.once('close', () =>
      reject(Object.assign(new Error('the server closed the connection'), { code: 'CONNECTION_CLOSED' })),
    )
  })

const explain = (code: string, peer: PeerCertificate, host: string, { root }: DatabaseTls): string => {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the server's certificate is for ${peer.subjectaltname ?? peer.subject.CN}, not for ${host}: use a name that it is for, or sslmode=verify-ca`
  if (code === 'CERT_HAS_EXPIRED') return `the server's certificate has expired on ${peer.valid_to}`
  if (code === 'CERT_NOT_YET_VALID')
    return `the server's certificate is valid from ${peer.valid_from} on; check the clock`
  if (untrusted.has(code))
    return `the server's certificate is signed by no authority of ${root ?? 'the system'} (${code}): name the file of its authority in sslrootcert`
  return `the server's certificate is refused: ${code}`
}

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
])

/** The code counts as a server that cannot be reached: whoever renews a certificate does not want to restart workers. */
const failure = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: 'CONNECT_TLS' })
