import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { install } from './vigia-process.ts'

const serve = async (listener: RequestListener): Promise<AsyncDisposable & { url: string }> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, [Symbol.asyncDispose]: async () => void server.close() }
}

test('a run waits for spreadsheets however long they take, and a stopped run resumes with them', async () => {
  await using t = await install()
  let slowness = 12_000
  await using slow = await serve(async (_, response) => {
    await pause(slowness)
    response.end('PK')
  })
  await using registry = await serve((asked, response) => {
    const { method, headers } = asked
    const passed = request(t.sandbox.url + asked.url, { method, headers }, async (answer) => {
      const body = (await text(answer)).replaceAll(/"urlTempFull":"[^"]*"/g, `"urlTempFull":"${slow.url}/x.xlsx"`)
      response.writeHead(answer.statusCode!, { 'content-type': 'application/json' }).end(body)
    })
    asked.pipe(passed)
  })
  t.env.REGISTRY_URL = registry.url
  const spreadsheets = async (batch: number) =>
    (await readdir(join(t.home, `outbox/clientes.${batch}/spreadsheets`))).filter((name) => name.endsWith('.xlsx'))

  const waited = await t.json('run', '--yes', await t.write('clientes.csv', csvOf(cpfs(1))), '--with-spreadsheets')
  expect(waited.exitCode).toBe(0)
  expect(await spreadsheets(1)).toHaveLength(1)

  const file = await t.write('clientes.csv', csvOf(cpfs(2)))
  const { child, ended } = t.start('run', '--yes', file, '--with-spreadsheets', '--json')
  for (let done = false; !done; ) {
    done = (await t.sql`select from vigia.batch where id = 2 and finished_at is not null`).length > 0
    await pause(100)
  }
  child.kill('SIGINT')
  expect((await ended).exitCode).toBe(130)
  slowness = 0
  expect((await t.json('run', '--yes', file, '--with-spreadsheets')).exitCode).toBe(0)
  expect(await spreadsheets(2)).toHaveLength(2)
})
