import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import { ResultRow } from '../../src/batches/result-row.ts'
import { linesOfSlice, streamResults } from '../../src/store/batches/results.ts'
import { rowsIn } from '../files/xlsx/hand-made.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { answerAll } from './answers.ts'
import { setupGround } from './ground.ts'

const common = { timezone: 'America/Sao_Paulo', now: new Date('2026-11-15T12:00:00Z') }
const rows = linesOfSlice + 1_000

test('rows are read in slices, so that an export holds no snapshot for its length, and each row comes once', async () => {
  await using t = await setupGround()
  const batch = await t.imported(csvOf(cpfs(rows)))
  const row = new ResultRow('analysis')
  const seen: [number, string][] = []
  const read = (bytes: Buffer) => {
    row.feed(bytes)
    while (row.next()) seen.push([row.line, row.text(row.at('state'))])
  }

  await t.sql.begin('read only', async (tx) => {
    const stream = streamResults(tx, batch.id, { kind: 'analysis', documentsPerRow: 1, timezone: common.timezone })
    read((await stream.next()).value!)
    await answerAll(t.sql, batch.id)
    for await (const bytes of stream) read(bytes)
  })

  expect(seen.map(([line]) => line)).toEqual(Array.from({ length: rows }, (_, i) => i + 2))
  const states = Object.groupBy(seen, ([, state]) => state)
  expect([states.pending!.at(-1)![0], states.ok![0]![0]]).toEqual([linesOfSlice, linesOfSlice + 1])
})

test('while look-ups end during an export, every file has every row, and the manifest says whether one is open', async () => {
  await using t = await setupGround()
  const batch = await t.imported(csvOf([...cpfs(rows), '123']))
  const folder = join(t.home.outbox, 'meanwhile')

  const exporting = exportBatch(t.sql, batch.id, { ...common, folder, format: 'xlsx', language: 'en' })
  for (let part = 0; part < 6; part++) await answerAll(t.sql, batch.id, { limit: rows / 6 })
  const { report, workbook, manifest } = await exporting

  const cells: Record<string, string>[] = parse(await readFile(report), { bom: true, columns: true, delimiter: ';' })
  const counted = (state: string) => cells.filter(({ result_status }) => result_status === state).length
  expect(cells).toHaveLength(rows)
  expect([counted('ok'), counted('pending')]).toEqual([manifest.states.ok ?? 0, manifest.states.pending ?? 0])
  expect(counted('ok') + counted('pending')).toBe(rows)
  const [, ...sheet] = await rowsIn(await readFile(workbook!))
  const open = sheet.filter(({ cells }) => cells.includes('open')).length
  expect(sheet).toHaveLength(rows + 1)
  expect(manifest.complete).toBe(counted('pending') === 0 && open === 0)
})
