import { once } from 'node:events'
import { connect as openSocket, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { DatabaseTls } from '../domain/database-tls.ts'
import { secureSocket } from './secure-socket.ts'

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
