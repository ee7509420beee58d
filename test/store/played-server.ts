import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** What the played server does with a message; `undefined` stands for a plain answer. */
export type Play = (text: string, socket: Socket, type: string) => Buffer | null | undefined

/** A server that speaks just enough of PostgreSQL's protocol to be cut off, to fall silent and to refuse at will. */
export const playServer = async (play: Play = () => undefined, path?: string) => {
  const seen: string[] = []
  const server = createServer((socket) => {
    let started = false
    let rest = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes])
      for (;;) {
        const from = started ? 1 : 0
        if (rest.length < from + 4 || rest.length < from + rest.readUInt32BE(from)) return
        const length = from + rest.readUInt32BE(from)
        const [type, text] = [started ? String.fromCharCode(rest[0]!) : '', rest.toString('latin1', from + 4, length)]
        rest = rest.subarray(length)
        if (type === 'Q' || type === 'P') seen.push(text)
        const answer = started ? (play(text, socket, type) ?? plainAnswer(type)) : welcome
        started = true
        if (answer && !socket.destroyed) socket.write(answer)
      }
    })
  })
  server.listen(path ? { path } : { port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  return { server, seen, port: (server.address() as AddressInfo).port }
}

const message = (type: string, body: Buffer | string = ''): Buffer => {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

const ready = message('Z', 'I')
const complete = message('C', 'SELECT 0\0')
const welcome = Buffer.concat([message('R', Buffer.alloc(4)), ready])

/** What ends a simple statement that found nothing. */
export const done = Buffer.concat([complete, ready])

/** Nothing is ever found here, by either protocol. */
const plainAnswer = (type: string): Buffer | null => {
  if (type === 'Q') return done
  if (type !== 'S') return null
  return Buffer.concat([message('1'), message('t', Buffer.alloc(2)), message('n'), message('2'), done])
}

export const copyBegins = message('G', Buffer.from([0, 0, 0]))
export const refusal = Buffer.concat([message('E', 'SERROR\0C23505\0Mrefused\0\0'), ready])
export const silence = Buffer.alloc(0)
