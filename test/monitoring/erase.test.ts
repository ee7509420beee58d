import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatDocument } from '../../src/domain/document.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { findTraces } from '../../src/monitoring/read-person.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { spentOn } from '../../src/store/purchases/spending.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { keepUpload } from './keep-upload.ts'
import { sweepByQueue, sweepRadars } from './sweep.ts'
import { tracesOf } from './traces.ts'

const person = cpf(7)
const shapes = [person, formatDocument(person)]

test('a person leaves no trace in any column or file, and the accounting stays', async () => {
  await using t = await setup()
  const others = cpfs(6, 100)
  const file = [
    'nome;documento;obs',
    `"Ana; Silva";${formatDocument(person)};cliente`,
    ...others.map((document) => `Outro;${document};`),
    `José;${person};de novo`,
    `Fulano;123;ver ${person}`,
  ].join('\r\n')
  const batchId = await t.submit(Buffer.from(file, 'latin1'), { fileName: `${person}.csv` })
  await t.finished(batchId)
  await writeFile(join(t.home, 'archive', `${person}.csv`), Buffer.from(file, 'latin1'))
  await writeFile(join(t.home, 'archive', 'note.bin'), Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from(person)]))
  t.sandbox.plantRadar({ code: person })
  t.sandbox.plantRadar({ code: cpf(8) })
  t.sandbox.plantChange(person, { processes: 1 })
  await sweepRadars(t)
  t.sandbox.plantChange(person, { processes: 3 })
  await sweepRadars(t)
  t.sandbox.alreadyGenerated(person)
  await sweepByQueue(t, 'usage')
  expect((await tracesOf(t.sql, t.home, shapes)).length).toBeGreaterThan(10)
  const before = await readBatch(t.sql, batchId)
  const day = new Date().toLocaleDateString('en-CA', { timeZone: t.settings.timezone })
  const spent = await spentOn(t.sql, day)

  const erased = await eraseDocument(t.tools, person, 'test')
  await until(async () => (await readBatch(t.sql, batchId))?.exportedAt)

  expect(await tracesOf(t.sql, t.home, shapes)).toEqual([])
  expect(erased).toMatchObject({ storedFiles: 1, files: { deleted: 4 } })
  expect(erased.monitoredBy).toEqual([BigInt(t.sandbox.account.organizationId)])
  expect(await readBatch(t.sql, batchId)).toMatchObject({ rows: before!.rows, spent: before!.spent, state: 'done' })
  expect(await spentOn(t.sql, day)).toBe(spent)
  const report = await readFile(join(t.home, 'outbox', `erased.${batchId}`, 'erased.report.csv'), 'utf8')
  const lines = report.trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + before!.rows - before!.rejected)
  expect(lines[1]).toMatch(/^ +; +; +;ok;/)
  for (const document of others) expect(report).toContain(`Outro;${document};;ok;`)
})

test('a purchase with an unknown outcome must be settled before its person is erased, because it prevents a second purchase', async () => {
  await using t = await setup({ config: { request: { timeout: '500ms', retries: 0 } } })
  t.sandbox.setScenario({
    faults: [{ operation: 'generate', document: person, fault: 'closedAfter', times: 1 }],
    activities: { limit: 0 },
  })
  await t.finished(await t.submit(`documento\n${person}\n`))
  expect(await t.sql`select state from vigia.lookup`).toEqual([{ state: 'unknown_outcome' }])

  await expect(eraseDocument(t.tools, person, 'test')).rejects.toThrow(/unknown outcome.*vigia parked/)
  expect(await t.sql`select question from vigia.lookup`).toEqual([{ question: person }])
})

test('erasing an unknown person changes nothing', async () => {
  await using t = await setup()
  const batchId = await t.submit(`documento\n${cpf(1)}\n`)
  await t.finished(batchId)
  const path = join(t.home, 'outbox', `people.${batchId}`, 'people.report.csv')
  const report = await readFile(path)

  expect(await eraseDocument(t.tools, person, 'test')).toMatchObject({ lookups: 0, batches: [], storedFiles: 0 })
  expect((await readFile(path)).equals(report)).toBe(true)
})

test('reports that are named after a person are written again under another name, and no earlier file is replaced', async () => {
  await using t = await setup()
  const named = await t.submit(`documento\n${cpf(1)}\n`, { fileName: `${person}.csv`, kind: 'scr' })
  await t.finished(named)
  const earlier = join(t.home, 'archive', 'erased.csv')
  await writeFile(earlier, 'of another person')
  await writeFile(join(t.home, 'archive', `${person}.csv`), `documento\n${cpf(1)}\n`)

  expect(await eraseDocument(t.tools, person, 'test')).toMatchObject({ batches: [named] })
  await until(async () => (await readBatch(t.sql, named))?.exportedAt)

  expect(await tracesOf(t.sql, t.home, shapes)).toEqual([])
  expect(await readFile(join(t.home, 'outbox', `erased.${named}`, 'erased.report.csv'), 'utf8')).toContain(cpf(1))
  expect(await readFile(earlier, 'utf8')).toBe('of another person')
  expect(await readFile(join(t.home, 'archive', 'erased-2.csv'), 'utf8')).toContain(cpf(1))
})

test('a person is erased from a workbook: the rows of its text, the workbook, and its reports', async () => {
  await using t = await setup()
  const rows = { 1: ['Nome', 'CPF'], 2: ['Ana', Number(person)], 3: ['Bia', cpf(1)] }
  const notes = { 1: ['ver', formatDocument(person)] }
  const batch = await t.submit(workbookOf({ Plan1: rows, Notas: notes }), { fileName: 'clientes.xlsx' })
  await t.finished(batch)
  const folder = join(t.home, 'outbox', `clientes.${batch}`)
  await writeFile(join(t.home, 'archive', 'clientes.xlsx'), workbookOf({ Plan1: rows }))
  expect(await readdir(folder)).toContain('clientes.report.xlsx')

  const erased = await eraseDocument(t.tools, person, 'test')
  await until(async () => (await readBatch(t.sql, batch))?.exportedAt)

  expect(erased).toMatchObject({ lookups: 1, storedFiles: 2, batches: [batch] })
  expect(await t.sql`select from vigia.batch where workbook_id is not null`).toHaveLength(0)
  expect(await t.sql`select from vigia.file`).toHaveLength(1)
  expect(await readdir(join(t.home, 'archive'))).toEqual([])
  const report = await readFile(join(folder, 'clientes.report.csv'), 'utf8')
  expect(report).toContain(`Bia;${cpf(1)};ok;`)
  expect(report).not.toContain('Ana')
  expect(await tracesOf(t.sql, t.home, shapes)).toEqual([])
})

test('an upload that is not submitted yet is found if it names the person, and counted as erased', async () => {
  await using t = await setup()
  const batch = await t.submit(`CPF;Outro\n${cpf(1)};${person}\n`)
  await t.finished(batch)
  await keepUpload(t, `CPF;Outro\n${cpf(1)};${person}\n`)
  await keepUpload(t, `a;b\nAna;${formatDocument(person)}\nBia;${cpf(1)}\nRui;${Number(person)}\n`)
  await keepUpload(t, workbookOf({ Capa: { 1: ['x'] }, Base: { 1: ['a'], 2: [Number(person)] } }))
  await keepUpload(t, Buffer.concat([Buffer.from('%PDF-1.7\0'), Buffer.from(person)]))
  await keepUpload(t, `a;b\nBia;${cpf(2)}\n`)
  await keepUpload(t, workbookOf({ Base: { 1: ['a'], 2: [cpf(2)] } }))
  await keepUpload(t, Buffer.from('%PDF-1.7\0'))

  const { storedFiles } = await findTraces({ sql: t.sql, home: t.tools.home }, person)
  expect(storedFiles).toEqual([
    { batches: [Number(batch)], rows: 1 },
    { batches: [], rows: 2 },
    { batches: [], rows: 1 },
    { batches: [], rows: 1 },
  ])
  expect(await eraseDocument(t.tools, person, 'test')).toMatchObject({ storedFiles: 4, batches: [batch] })
  expect((await findTraces({ sql: t.sql, home: t.tools.home }, person)).storedFiles).toEqual([])
})
