import { access, mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDownloadFolder } from '../../src/batches/download-folder.ts'
import { confirmBatch } from '../../src/batches/pause-resume-cancel.ts'
import { previewSweep } from '../../src/monitoring/preview-sweep.ts'
import { purgeExpired } from '../../src/monitoring/purge-expired.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { deleteBatch, deleteLookups, findExpiredBatches } from '../../src/store/people/purge.ts'
import { toPersonView } from '../../src/views/person.ts'
import { readPersonRecord } from '../../src/views/person-record.ts'
import { sharedGround } from '../batches/ground.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { sweepByQueue } from './sweep.ts'

const ground = sharedGround()

const days = 86_400_000
const onDay = (day: number) => ({ ...ground.tools, clock: () => new Date(Date.now() + day * days) })

test('what is older than its retention is deleted, and what is younger or still asked stays', async () => {
  let ahead = 0
  await using t = await setup({ clock: () => new Date(Date.now() + ahead) })
  const old = await t.submit(csvOf(cpfs(3)))
  await t.finished(old)
  const archived = join(t.home, 'archive', 'people.csv')
  await writeFile(archived, 'x')
  await utimes(archived, new Date(), new Date(Date.now() - days))
  const differences = join(t.home, 'outbox', 'differences-carteira-7.csv')
  await writeFile(differences, 'documento')
  ahead = 200 * days
  const young = await t.submit(csvOf([cpf(50)]), { fileName: 'young.csv' })
  await t.finished(young)

  const first = await sweepByQueue(t, 'purge')

  expect(first.detail).toMatchObject({ batches: 1, lookups: 0, files: 1 })
  expect(await readBatch(t.sql, old)).toBeNull()
  expect(await readBatch(t.sql, young)).not.toBeNull()
  await expect(access(join(t.home, 'outbox', `people.${old}`))).rejects.toThrow('ENOENT')
  await access(join(t.home, 'outbox', `young.${young}`))
  expect(await t.sql`select from vigia.file`).toHaveLength(1)

  await access(differences)
  ahead = 401 * days
  expect((await sweepByQueue(t, 'purge')).detail).toMatchObject({ batches: 1, lookups: 3, files: 1 })
  await expect(access(differences)).rejects.toThrow('ENOENT')
  expect(await t.sql`select from vigia.answer`).toHaveLength(1)
  expect(await t.sql`select from vigia.spending_day where units > 0`).not.toHaveLength(0)
})

test('a person is shown the day until which the purge keeps a look-up, whatever still shows it', async () => {
  const { sql } = ground
  const { finishedAt } = await ground.answered(csvOf(cpfs(1)))
  const retention = { batches: 60 * days, lookups: 30 * days }
  const kept = async () => {
    const record = await readPersonRecord(sql, { document: cpf(0), type: 'CPF', key: '' })
    return toPersonView(record, { prices: null, retention }).lookups[0]!.keptUntil
  }
  const lookupsLeft = async (at: Date) => {
    const before = new Date(at.getTime() - retention.lookups)
    await sql.begin((tx) => deleteLookups(tx, before, 10))
    return (await sql`select from vigia.lookup`).length
  }
  const last = new Date(finishedAt!.getTime() + retention.batches)
  expect(await kept()).toBe(last.toISOString())
  expect(await lookupsLeft(last)).toBe(1)

  await sql`update vigia.batch set finished_at = null`
  expect(await kept()).toBeNull()

  await sql`delete from vigia.batch_row`
  const [lookup] = await sql<{ endedAt: Date }[]>`select finished_at as ended_at from vigia.lookup`
  expect(await kept()).toBe(new Date(lookup!.endedAt.getTime() + retention.lookups).toISOString())
  expect(await lookupsLeft(last)).toBe(0)
})

test('a batch that was reopened since it was found is not deleted', async () => {
  const { sql } = ground
  const { id } = await ground.answered(csvOf(cpfs(3)))
  const later = new Date(Date.now() + days)
  const [found] = await findExpiredBatches(sql, later, 1)

  await sql`update vigia.batch set finished_at = null`
  await sql.begin((tx) => deleteBatch(tx, found!, later))
  expect(await readBatch(sql, id)).not.toBeNull()

  await sql`update vigia.batch set finished_at = now()`
  await sql.begin((tx) => deleteBatch(tx, found!, later))
  expect(await readBatch(sql, id)).toBeNull()
})

test('a preview counts what a purge deletes: a batch with a look-up under way is kept and not counted', async () => {
  const { sql } = ground
  const { id: one } = await ground.answered(csvOf([cpf(1)]))
  const { id: two } = await ground.answered(csvOf([cpf(2)]))
  await sql`update vigia.lookup set state = 'waiting', finished_at = null where batch_id = ${two}`

  expect(await previewSweep(onDay(200), 'purge')).toMatchObject({ batches: 1, lookups: 0 })
  expect((await purgeExpired(onDay(200))).detail).toMatchObject({ batches: 1, lookups: 0 })
  expect([await readBatch(sql, one), (await readBatch(sql, two))?.id]).toEqual([null, two])
  expect(await previewSweep(onDay(200), 'purge')).toMatchObject({ batches: 0, lookups: 0 })
})

test('a batch that nobody approved is deleted after its own retention, and what another batch wants of it stays', async () => {
  let ahead = 0
  await using t = await setup({ clock: () => new Date(Date.now() + ahead) })
  const waiting = await t.submit(csvOf(cpfs(3)), { confirmAbove: 0 })
  const imported = async (id: bigint) => until(async () => (await readBatch(t.sql, id))?.importedAt)
  await imported(waiting)
  ahead = 29 * days
  const other = await t.submit(csvOf([cpf(2), cpf(9)]), { confirmAbove: 0, fileName: 'other.csv' })
  await imported(other)

  expect((await sweepByQueue(t, 'purge')).detail).toMatchObject({ batches: 0 })
  ahead = 31 * days
  expect(await previewSweep(t.tools, 'purge')).toMatchObject({ batches: 1 })
  expect((await sweepByQueue(t, 'purge')).detail).toMatchObject({ batches: 1 })

  expect(await readBatch(t.sql, waiting)).toBeNull()
  expect(await readBatch(t.sql, other)).toMatchObject({ state: 'unconfirmed', toBePaid: 2 })
  const left = await t.sql<{ question: string }[]>`select question from vigia.lookup order by question`
  expect(left.map(({ question }) => question)).toEqual([cpf(2), cpf(9)])
  expect(await t.sql`select from vigia.file`).toHaveLength(1)
  await confirmBatch(t.sql, other, { by: 'test', now: t.tools.clock(), deadlineMs: days, finished: async () => {} })
  await t.finished(other)
  expect(t.sandbox.charges()).toBe(2)
})

test('a batch that ran once and needs approval to spend more is not deleted', async () => {
  const { id } = await ground.answered(csvOf(cpfs(2)))
  await ground.sql`update vigia.batch set state = 'unconfirmed', finished_at = null`

  await purgeExpired(onDay(100))
  expect(await readBatch(ground.sql, id)).not.toBeNull()
})

test('a report that a killed process left in the temporary folder is deleted, and that of a running one is not', async () => {
  const ours = await makeDownloadFolder()
  const gone = ours.replace(`-${process.pid}-`, '-4194999-')
  await mkdir(gone)
  await writeFile(join(gone, 'people.report.csv'), csvOf([cpf(1)]))

  await purgeExpired(ground.tools)
  await access(ours)
  await expect(access(gone)).rejects.toThrow('ENOENT')
  await rm(ours, { recursive: true })
})
