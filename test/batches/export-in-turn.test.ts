import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import type { Manifest } from '../../src/batches/manifest.ts'
import { ResultRow } from '../../src/batches/result-row.ts'
import { lockExport } from '../../src/store/batches/batches.ts'
import { linesOfSlice, streamResults } from '../../src/store/batches/results.ts'
import { connect } from '../../src/store/connect.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { readCsv, sheetsIn } from '../support/read-report.ts'
import { answerAll } from './answers.ts'
import { sharedGround } from './ground.ts'

const t = sharedGround()

const rows = linesOfSlice + 1_000

test('an export waits for another into the same folder, and reports the state after it', async () => {
  const batch = await t.imported(csvOf(cpfs(4)))
  const folder = join(t.home.outbox, 'one')

  const { exporting } = await t.sql.begin(async (tx) => {
    await lockExport(tx, batch.id, folder)
    const exporting = t.export(batch.id, { folder })
    // Nothing delays this one, so without the lock the first export would be over by its end too.
    await t.export(batch.id, { folder: join(t.home.outbox, 'another') })
    await answerAll(t.sql, batch.id)
    return { exporting }
  })

  expect((await exporting).manifest).toMatchObject({ complete: true, states: { ok: 4 } })
})

test('more exports at once than the pool has connections all end, and leave matching files', async () => {
  const { id } = await t.answered(csvOf(cpfs(50)))
  const sql = connect(t.env.DATABASE_URL!, { max: 4 })
  const exported = await Promise.all(
    Array.from({ length: 12 }, (_, i) => {
      const encoding = i % 4 === 0 ? ('same' as const) : ('utf8' as const)
      const folder = join(t.home.outbox, `${i % 2}`)
      return exportBatch(sql, id, { folder, now: new Date(0), settings: t.settings, encoding })
    }),
  )
  await sql.end()
  expect(new Set(exported.map(({ manifest }) => manifest.files.report.sha256)).size).toBe(2)
  for (const folder of ['0', '1']) {
    const file = (name: string) => readFile(join(t.home.outbox, folder, `people.${name}`))
    const manifest = JSON.parse(String(await file('manifest.json'))) as Manifest
    const sha256 = createHash('sha256').update(await file('report.csv'))
    expect(manifest.files.report.sha256).toBe(sha256.digest('hex'))
  }
})

test('rows are read in slices, so that an export holds no snapshot for its length, and each row comes once', async () => {
  const batch = await t.imported(csvOf(cpfs(rows)))
  const row = new ResultRow('analysis')
  const seen: [number, string][] = []
  const read = (bytes: Buffer) => {
    row.feed(bytes)
    while (row.next()) seen.push([row.line, row.text(row.at('state'))])
  }

  await t.sql.begin('read only', async (tx) => {
    const stream = streamResults(tx, batch.id, { kind: 'analysis', documentsPerRow: 1, timezone: 'UTC' })
    read((await stream.next()).value!)
    await answerAll(t.sql, batch.id)
    for await (const bytes of stream) read(bytes)
  })

  expect(seen.map(([line]) => line)).toEqual(Array.from({ length: rows }, (_, i) => i + 2))
  const states = Object.groupBy(seen, ([, state]) => state)
  expect([states.pending!.at(-1)![0], states.ok![0]![0]]).toEqual([linesOfSlice, linesOfSlice + 1])
})

test('while look-ups end during an export, every file has every row, and the manifest says whether one is open', async () => {
  const batch = await t.imported(csvOf([...cpfs(rows), '123']))

  const exporting = t.export(batch.id, { format: 'xlsx', language: 'en' })
  for (let part = 0; part < 6; part++) await answerAll(t.sql, batch.id, { limit: rows / 6 })
  const { report, workbook, manifest } = await exporting

  const cells = await readCsv(report)
  const counted = (state: string) => cells.filter(({ result_status }) => result_status === state).length
  expect(cells).toHaveLength(rows)
  expect([counted('ok'), counted('pending')]).toEqual([manifest.states.ok ?? 0, manifest.states.pending ?? 0])
  expect(counted('ok') + counted('pending')).toBe(rows)
  const [, ...sheet] = (await sheetsIn(workbook!)).Results!
  const open = sheet.filter(({ cells }) => cells.includes('open')).length
  expect(sheet).toHaveLength(rows + 1)
  expect(manifest.complete).toBe(counted('pending') === 0 && open === 0)
})
