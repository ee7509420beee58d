import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importBatch } from '../../jobs/import-batch.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import type { Database } from '../../src/store/connect.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupGround } from './ground.ts'
import { filesBelow, setupInbox } from './inbox-setup.ts'
import { kill, startProcess } from './run-process.ts'

/** Readers of a stored file wait for as long as the test wants, as if the file held them up. */
const holdReaders = async (sql: Database) => {
  await sql`alter table vigia.file_part rename to kept_part`
  await sql`create function vigia.wait_here() returns boolean language plpgsql as
    'begin perform pg_advisory_xact_lock_shared(35); return true; end'`
  await sql`create view vigia.file_part as select * from vigia.kept_part where vigia.wait_here()`
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(35)`
    held.resolve()
    await released.promise
  })
  await held.promise
  return {
    async [Symbol.asyncDispose]() {
      released.resolve()
      await holding
    },
  }
}

const snapshots = (sql: Database) => sql<{ process: string }[]>`select process from vigia.file_read`

const text = csvOf(cpfs(3))

test('a file in the inbox that ended two workers is refused by the third, in both languages', async () => {
  await using t = await setupInbox({ watching: false })
  await t.drop('people.csv', text)
  {
    await using _ = await holdReaders(t.sql)
    for (const deaths of [1, 2]) {
      const worker = await t.spawn()
      await until(async () => (await snapshots(t.sql)).length === deaths)
      await kill(worker)
    }
  }

  await t.spawn()
  await until(async () => (await filesBelow(t.home.archive)).length === 2)

  const rejected = join(t.home.archive, 'rejected')
  const note = (await readdir(rejected)).find((name) => name !== 'people.csv') as string
  const why = await readFile(join(rejected, note), 'utf8')
  expect(why).toContain('people.csv was not accepted: the file is quarantined: 2 workers ended while they read it')
  expect(why).toContain('people.csv não foi aceito: o arquivo está em quarentena: 2 workers caíram durante a leitura')
  expect(await t.batches()).toEqual([])
  expect(await t.sql`select id from vigia.file`).toEqual([])
})

test('a batch whose import ended two workers at the same line is rejected', async () => {
  await using t = await setupGround()
  const id = await t.submit(text)
  const env = { ...t.env, BATCH: String(id) }
  {
    await using _ = await holdReaders(t.sql)
    for (const deaths of [1, 2]) {
      const worker = startProcess('import-process.ts', env)
      await until(async () => (await snapshots(t.sql)).length === deaths)
      await kill(worker)
    }
  }

  await importBatch.work({ batchId: String(id) }, t.tools)

  expect(await readBatch(t.sql, id)).toMatchObject({ state: 'rejected', message: ['quarantined', 2] })
})
