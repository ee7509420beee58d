import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quoteFile } from '../../src/batches/quote.ts'
import { connect } from '../../src/store/connect.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { anotherEngine, type Setup, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

/**
 * A connection to another database of the same server, to create and swap databases. Sessions that it cuts off notice that
 * in the end; the test itself is not one of them.
 */
const asMaintainer = async (t: Setup, work: (statement: (text: string) => Promise<unknown>) => Promise<void>) => {
  const url = new URL(t.databaseUrl)
  url.pathname = '/postgres'
  const sql = connect(url.href, { max: 1 })
  await work((text) => sql.unsafe(text))
  await sql.end()
  const answers = () =>
    t.sql`select 1`.then(
      () => true,
      () => false,
    )
  await until(async () => (await Promise.all(Array.from({ length: 12 }, answers))).every(Boolean))
}

const nameOf = (t: Setup): string => new URL(t.databaseUrl).pathname.slice(1)

const disconnect = (name: string): string =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`

/** A copy of the database as it is now. */
const keepCopy = (t: Setup): Promise<void> =>
  asMaintainer(t, async (run) => {
    await run(`alter database "${nameOf(t)}" allow_connections false`)
    await run(disconnect(nameOf(t)))
    await run(`create database "${nameOf(t)}_copy" template "${nameOf(t)}"`)
    await run(`alter database "${nameOf(t)}" allow_connections true`)
  })

/** Replaces the database by the copy. */
const restoreCopy = (t: Setup): Promise<void> =>
  asMaintainer(t, async (run) => {
    const name = nameOf(t)
    await run(`alter database "${name}" allow_connections false`)
    await run(disconnect(name))
    await run(`drop database "${name}" with (force)`)
    await run(`alter database "${name}_copy" rename to "${name}"`)
  })

const shortTimeouts = { request: { timeout: '500ms', retries: 1 } }

test.each([true, false])(
  'a database restored from before a run buys none of it again, and the quote says so; what others bought is adopted: %s',
  async (adopt) => {
    await using t = await setup({ config: { ...shortTimeouts, purchases: { listLag: '200ms', adopt } } })
    await t.running.stop()
    await keepCopy(t)
    const before = await anotherEngine(t)
    const file = csvOf(cpfs(60))
    await t.finished(await t.submit(file))
    expect(t.sandbox.charges()).toBe(60)
    await before.stop()
    await restoreCopy(t)

    await using _ = await anotherEngine(t)
    const again = await t.finished(await t.submit(file))

    expect(await statesOf(t.sql, again.id)).toEqual({ ok: 60 })
    expect(again).toMatchObject({ spent: 0, toBePaid: 0 })
    expect(t.sandbox.charges()).toBe(60)
    const quote = await quoteFile(t.sql, {
      open: async function* () {
        yield Buffer.from(`${file}\n`)
      },
      organizationId: t.sandbox.account.organizationId,
      kind: 'analysis',
      freshSince: new Date(Date.now() - 86_400_000),
      bound: 8,
      maxSpend: null,
      firstLookMs: 20,
    })
    expect(quote).toMatchObject({ documents: 60, fresh: 60, toBePaid: 0 })
  },
)

test('a database replaced by an older copy while workers run is noticed, and purchases wait', async () => {
  await using t = await setup({ config: shortTimeouts })
  const id = await t.submit(csvOf(cpfs(30)))
  await t.finished(id)
  await keepCopy(t)
  await t.finished(await t.submit(csvOf(cpfs(80))))
  expect(t.sandbox.charges()).toBe(80)
  await restoreCopy(t)

  const again = await t.finished(await t.submit(csvOf(cpfs(80))))

  expect(await statesOf(t.sql, again.id)).toEqual({ ok: 80 })
  expect(t.sandbox.charges()).toBe(80)
  expect(t.logged.join('')).toContain('the database may have lost purchases')
})

test('after an update, the server that version 0.2 remembered without its database is still the same', async () => {
  await using t = await setup({ config: shortTimeouts })
  await t.running.stop()
  const waitsFor = async (server: string): Promise<boolean> => {
    await t.sql`update vigia.fleet set server = ${server}, list_read_after = '-infinity'`
    const known = { identity: server, mark: '1', at: new Date().toISOString() }
    await writeFile(join(t.home, '.high-water.json'), JSON.stringify(known))
    await using _ = await anotherEngine(t)
    const waiting = await t.sql`select from vigia.fleet where list_read_after > '-infinity'`
    return waiting.length > 0
  }
  const [{ server }] = (await t.sql`select server from vigia.fleet`) as unknown as [{ server: string }]
  const ofVersion2 = server.slice(0, server.lastIndexOf('/'))
  expect(ofVersion2).toMatch(/^\d+\/[0-9A-F]{8}$/)

  expect(await waitsFor(ofVersion2)).toBe(false)
  expect(await waitsFor(`${ofVersion2}/1`)).toBe(true)
})
