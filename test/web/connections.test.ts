import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { setupWeb, sharedWeb, type WebSetup } from './setup.ts'

/** A busy machine takes half a second to see who asks, and what for. */
const limits = { headersMs: 400, bodyMs: 1_000, uploadIdleMs: 1_000, connections: 1_000 }
const t = await sharedWeb({}, {}, limits)
/** Only what is no upload has to arrive soon. */
const patient = await sharedWeb({}, {}, { ...limits, uploadIdleMs: 5_000 })

const open = (t: WebSetup, text: string): Socket => {
  const { hostname, port } = new URL(t.web.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  if (text) socket.write(text)
  return socket
}

/** What a connection received until the server closed it. */
const ended = (socket: Socket): Promise<string> => {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  socket.once('close', () => resolve(text))
  AbortSignal.timeout(8_000).addEventListener('abort', () => reject(new Error(`still open after ${text}`)))
  return promise
}

const head = (method: string, path: string, ...lines: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'host: localhost', ...lines].join('\r\n')}\r\n\r\n`

const long = ['content-type: application/x-www-form-urlencoded', 'content-length: 9000']

test('a request whose headers or body never end is closed', async () => {
  const token = await t.operator('admin')
  const bearer = `authorization: Bearer ${token}`
  const chunked = ['content-type: application/json', 'transfer-encoding: chunked']
  const [signIn, steer, refused, unknown, chunks, noHead, silent] = await Promise.all([
    ended(open(t, `${head('POST', '/sign-in', ...long)}token=a`)),
    ended(open(t, `${head('POST', '/batches/1/pause', bearer, ...long)}csrf=`)),
    ended(
      open(t, head('POST', '/api/batches', 'content-type: multipart/form-data; boundary=x', 'content-length: 9000')),
    ),
    ended(open(t, head('POST', '/nowhere', ...long))),
    ended(open(t, `${head('POST', '/api/person', bearer, ...chunked)}5\r\n{"doc\r\n`)),
    ended(open(t, 'GET /batches HTTP/1.1\r\nhost: loc')),
    ended(open(t, '')),
  ])
  for (const text of [signIn, steer, chunks]) expect(text).toMatch(/^HTTP\/1\.1 408 /)
  for (const text of [refused, unknown]) expect(text).toMatch(/^HTTP\/1\.1 401 /)
  // Node sends no more than that to a client that sent no request.
  for (const text of [noHead, silent]) expect(text).toMatch(/^$|^HTTP\/1\.1 408 /)
})

const boundary = 'xyz'
const uploadHead = (token: string) =>
  head(
    'POST',
    '/api/batches',
    `authorization: Bearer ${token}`,
    `content-type: multipart/form-data; boundary=${boundary}`,
    'transfer-encoding: chunked',
    'connection: close',
  )
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const fileHead = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n`

test('a file may take longer than any other body, as long as data arrives', async () => {
  const socket = open(patient, uploadHead(await patient.operator('ops')) + chunk(fileHead))
  const answer = ended(socket)
  // A slow connection: it takes three times as long as a body may.
  for (const line of csvOf(cpfs(11)).split(/(?<=\n)/)) {
    socket.write(chunk(line))
    await pause(limits.bodyMs / 4)
  }
  socket.write(`${chunk(`\r\n--${boundary}--\r\n`)}0\r\n\r\n`)
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('an upload that makes no progress is closed', async () => {
  const socket = open(t, uploadHead(await t.operator('ops')) + chunk(fileHead + csvOf(cpfs(1))))
  expect(await ended(socket)).toMatch(/^HTTP\/1\.1 408 /)
  expect(await t.sql`select from vigia.batch`).toHaveLength(0)
})

test('a live page and a download outlast the limits of a body', async () => {
  const response = await patient.call('/trouble/live', { token: await patient.operator('analyst') })
  const reader = response.body!.getReader()
  expect((await reader.read()).done).toBe(false)
  await pause(2 * limits.bodyMs)
  const { organizationId } = patient.sandbox.account
  await patient.sql`insert into vigia.lane (organization_id, kind, cause) values (${organizationId}, 'scr', 'operator')`
  expect((await reader.read()).done).toBe(false)
  await reader.cancel()
})

test('connections are limited to the cap, and a new one is accepted when one ends', async () => {
  await using t = await setupWeb({}, {}, { ...limits, headersMs: 5_000, connections: 5 })
  const sockets = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = open(t, '')
      await once(socket, 'connect')
      return socket
    }),
  )
  expect(await ended(open(t, head('GET', '/healthz')))).toBe('')
  sockets[0]!.destroy()
  await expect.poll(() => ended(open(t, head('GET', '/healthz', 'connection: close')))).toMatch(/^HTTP\/1\.1 200 /)
  for (const socket of sockets) socket.destroy()
})
