import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import type { Manifest } from '../../src/batches/manifest.ts'
import { lockExport } from '../../src/store/batches/batches.ts'
import { connect } from '../../src/store/connect.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { answerAll } from './answers.ts'
import { setupGround } from './ground.ts'

const common = { timezone: 'America/Sao_Paulo', now: new Date('2026-11-15T12:00:00Z') }

test('an export waits for another into the same folder, and reports the state after it', async () => {
  await using t = await setupGround()
  const batch = await t.imported(csvOf(cpfs(4)))
  const folder = join(t.home.outbox, 'one')

  const { exporting } = await t.sql.begin(async (tx) => {
    await lockExport(tx, batch.id, folder)
    const exporting = exportBatch(t.sql, batch.id, { ...common, folder })
    // Nothing delays this one, so without the lock the first export would be over by its end too.
    await exportBatch(t.sql, batch.id, { ...common, folder: join(t.home.outbox, 'another') })
    await answerAll(t.sql, batch.id)
    return { exporting }
  })

  expect((await exporting).manifest).toMatchObject({ complete: true, states: { ok: 4 } })
})

test('many exports at once into one folder end with the smallest pool, and leave matching files', async () => {
  await using t = await setupGround()
  const batch = await t.imported(csvOf(cpfs(50)))
  await answerAll(t.sql, batch.id)
  const folder = join(t.home.outbox, 'one')
  const sql = connect(t.env.DATABASE_URL!, { max: 4 })

  const encodings = ['utf8', 'same', 'utf8', 'same', 'utf8', 'same'] as const
  await Promise.all(encodings.map((encoding) => exportBatch(sql, batch.id, { ...common, folder, encoding })))
  await sql.end()

  const manifest = JSON.parse(await readFile(join(folder, 'people.manifest.json'), 'utf8')) as Manifest
  const report = await readFile(join(folder, 'people.report.csv'))
  expect(manifest.files.report.sha256).toBe(createHash('sha256').update(report).digest('hex'))
})

test('more exports at once than there are connections all end', async () => {
  await using t = await setupGround()
  const batch = await t.imported(csvOf(cpfs(50)))
  await answerAll(t.sql, batch.id)
  const sql = connect(t.env.DATABASE_URL!, { max: 4 })
  const exported = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      exportBatch(sql, batch.id, { ...common, folder: join(t.home.outbox, `${i}`) }),
    ),
  )
  await sql.end()
  expect(new Set(exported.map(({ manifest }) => manifest.files.report.sha256)).size).toBe(1)
})
