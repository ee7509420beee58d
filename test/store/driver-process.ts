import { connect, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { arrayTypes } from '../../src/store/arrays.ts'
import { connect as openOurs, type Sql } from '../../src/store/connect.ts'
import { copyIn } from '../../src/store/copy.ts'
import { copyBegins, playServer, refusal, silence } from './played-server.ts'

// Plays one fault through with the driver of a folder, and prints how it ended. Run by driver.slow.test.ts.

const [driver, fault, timeouts] = process.argv.slice(2) as [string, string, string]
/** Whether Vigia's own way around the fault is played, instead of the driver alone. */
const isOurs = driver === 'ours'
const { default: open } = isOurs ? { default: null } : await import(pathToFileURL(`${driver}/index.js`).href)
const connectTo = (port: number) => openOurs(`postgres://vigia@127.0.0.1:${port}/vigia`, { max: 1 })

const how = (promise: Promise<unknown>): Promise<string> =>
  Promise.race([
    promise.then(
      () => 'answered',
      () => 'failed',
    ),
    pause(Number(timeouts), 'silent', { ref: false }),
  ])

/** A server that ends the connection at a statement. */
const cutServer = (cut: (socket: Socket) => void) =>
  playServer((text, socket) => {
    if (!text.includes('cut')) return undefined
    cut(socket)
    return silence
  })

/** One connection whose socket is ours to break. */
const openOne = (port: number, change: object = {}) => {
  const sockets: Socket[] = []
  const socket = () => {
    sockets.push(connect(port, '127.0.0.1'))
    return sockets.at(-1)
  }
  const sql = open({ host: '127.0.0.1', port, max: 1, fetch_types: false, backoff: 0, socket, ...change })
  return { sql, sockets }
}

const publishedArrays = async (): Promise<Record<string, { parse(text: string): unknown[] }>> => {
  const { arrayParser } = await import(pathToFileURL(`${driver}/types.js`).href)
  return {
    integers: { parse: (text) => arrayParser(text, Number)[0] },
    texts: { parse: (text) => arrayParser(text)[0] },
  }
}

const incidents: Record<string, () => Promise<string>> = {
  async 'write-to-closed'() {
    const { port } = await cutServer((socket) => socket.destroy())
    const goOn = async (one: Sql) => {
      await how(one`cut`.simple())
      return how(one`select 1`.simple())
    }
    const wentOn = Promise.withResolvers<string>()
    if (isOurs)
      connectTo(port)
        .begin(async (tx) => wentOn.resolve(await goOn(tx)))
        .catch(() => {})
    else {
      const { sql } = openOne(port)
      await sql`select 1`.simple()
      wentOn.resolve(goOn(await sql.reserve()))
    }
    return wentOn.promise
  },

  async 'forgotten-write'() {
    const { port } = await playServer()
    const { sql, sockets } = openOne(port)
    await sql`select 1`.simple()
    // Emitted here, the socket closes before the write that was delayed by one turn.
    await new Promise((resolve) => setImmediate(resolve))
    const cut = how(sql`select 2`.simple())
    queueMicrotask(() => queueMicrotask(() => sockets[0]!.destroy()))
    await cut
    return how(sql`select 3`.simple())
  },

  async 'sent-after-error'() {
    const { port } = await cutServer((socket) => socket.resetAndDestroy())
    const sql = isOurs ? connectTo(port) : openOne(port).sql
    await sql`select 1`.simple()
    await how(sql`cut`.simple())
    return how(sql`select 2`.simple())
  },

  async 'types-of-arrays'() {
    const { server, port } = await playServer((text, socket) => {
      if (!text.includes('typarray')) return undefined
      server.close()
      socket.destroy()
      return silence
    })
    const sql = isOurs ? connectTo(port) : open({ host: '127.0.0.1', port, max: 1, backoff: 0 })
    return how(sql`select 1`.simple())
  },

  async 'refused-copy'() {
    const { port } = await playServer((text, _, type) => {
      if (text.includes('copy')) return copyBegins
      return type === 'c' ? refusal : undefined
    })
    if (isOurs) return how(copyIn(connectTo(port)`copy t from stdin`, [[1]]))
    const { sql } = openOne(port)
    const stream = await sql`copy t from stdin`.writable()
    return how(
      new Promise((resolve, reject) => {
        stream.on('error', reject).on('finish', resolve)
        stream.end('1\n')
      }),
    )
  },

  async 'no-delay'() {
    const shown: unknown[] = []
    const { setNoDelay } = Socket.prototype
    Socket.prototype.setNoDelay = function (on) {
      shown.push(on)
      return setNoDelay.call(this, on)
    }
    const { port } = await playServer()
    const sql = isOurs ? connectTo(port) : open({ host: '127.0.0.1', port, max: 1, fetch_types: false })
    await sql`select 1`.simple()
    return shown.join()
  },

  async 'lost-transaction'() {
    const { port, seen } = await playServer()
    const { sql, sockets } = openOne(port)
    const goesOn = Promise.withResolvers<void>()
    const wentOn = Promise.withResolvers<string>()
    const begun = sql.begin(async (tx: typeof sql) => {
      sockets[0]!.destroy()
      await goesOn.promise
      wentOn.resolve(await how(tx`insert stray`.simple()))
    })
    await how(begun)
    await sql`select 1`.simple()
    goesOn.resolve()
    const outcome = await wentOn.promise
    return seen.some((text) => text.includes('stray')) ? 'ran by itself' : outcome
  },

  async 'nothing-ahead'() {
    const { port } = await playServer()
    const sql = isOurs ? connectTo(port) : openOne(port, { max_pipeline: 0 }).sql
    await sql`select 1`.simple()
    return how(sql.begin((tx: Sql) => tx`select 2`.simple()))
  },

  async 'null-in-array'() {
    const { integers, texts } = isOurs ? arrayTypes : await publishedArrays()
    const [, figure] = integers!.parse('{1,NULL}')
    const [text, quoted] = texts!.parse('{NULL,"NULL"}')
    return [figure, text, quoted].map(String).join(', ')
  },
}

const outcome = await incidents[fault]!()
// An uncaught error ends the process now.
await new Promise((resolve) => setImmediate(resolve))
console.log(outcome)
process.exit()
