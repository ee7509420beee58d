import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatDocument } from '../../src/domain/document.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { findTraces } from '../../src/monitoring/read-person.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { spentOn } from '../../src/store/purchases/spending.ts'
import { sharedGround } from '../batches/ground.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { keepUpload } from './keep-upload.ts'
import { sweepByQueue, sweepRadars } from './sweep.ts'
import { tracesOf } from './traces.ts'

const ground = sharedGround()

const person = cpf(7)
const shapes = [person, formatDocument(person)]
const left = () => tracesOf(ground.sql, ground.home.path, shapes)
const erase = () => eraseDocument(ground.tools, person, 'test')

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
  const text = `documento\n${person}\n`
  const { id } = await ground.imported(text)
  await ground.sql`
    update vigia.lookup set state = 'unknown_outcome', charged = 'unknown', sending_at = now(), finished_at = now(), due_at = null`
  const { report } = await ground.export(id)
  const archived = join(ground.home.archive, 'people.csv')
  await writeFile(archived, text)

  await expect(erase()).rejects.toThrow(/unknown outcome.*vigia parked/)
  expect(await ground.sql`select question from vigia.lookup`).toEqual([{ question: person }])
  expect(await readFile(archived, 'utf8')).toBe(text)
  expect(await readFile(report, 'utf8')).toContain(person)
})

test('erasing an unknown person changes nothing', async () => {
  const { id } = await ground.answered(`documento\n${cpf(1)}\n`)
  const { report } = await ground.export(id)
  const before = await readFile(report)

  expect(await erase()).toMatchObject({ lookups: 0, batches: [], storedFiles: 0 })
  expect((await readFile(report)).equals(before)).toBe(true)
})

test('files and batches that are named after a person get another name, and no earlier file is replaced', async () => {
  const { archive, outbox } = ground.home
  const { id } = await ground.answered(`documento\n${cpf(1)}\n`, { fileName: `${person}.csv`, kind: 'scr' })
  await ground.export(id, { folder: join(outbox, `${person}.${id}`) })
  const earlier = join(archive, 'erased.csv')
  await writeFile(earlier, 'of another person')
  await writeFile(join(archive, `${person}.csv`), `documento\n${cpf(1)}\n`)

  expect(await erase()).toMatchObject({ batches: [id] })

  expect(await left()).toEqual([])
  expect(await readBatch(ground.sql, id)).toMatchObject({ name: 'erased' })
  expect((await readFile((await ground.export(id)).report, 'utf8')).includes(cpf(1))).toBe(true)
  expect(await readFile(earlier, 'utf8')).toBe('of another person')
  expect(await readFile(join(archive, 'erased-2.csv'), 'utf8')).toContain(cpf(1))
})

test('a person is erased from a workbook: the rows of its text, the workbook, and its reports', async () => {
  const rows = { 1: ['Nome', 'CPF'], 2: ['Ana', Number(person)], 3: ['Bia', cpf(1)] }
  const notes = { 1: ['ver', formatDocument(person)] }
  const { id } = await ground.answered(workbookOf({ Plan1: rows, Notas: notes }), { fileName: 'clientes.xlsx' })
  const { outbox, archive } = ground.home
  const folder = join(outbox, `clientes.${id}`)
  await writeFile(join(archive, 'clientes.xlsx'), workbookOf({ Plan1: rows }))
  expect((await ground.export(id, { folder })).workbook).not.toBeNull()

  const erased = await erase()

  expect(erased).toMatchObject({ lookups: 1, storedFiles: 2, batches: [id] })
  expect(await ground.sql`select from vigia.batch where workbook_id is not null`).toHaveLength(0)
  expect(await ground.sql`select from vigia.file`).toHaveLength(1)
  expect(await readdir(outbox)).toEqual([])
  expect((await readdir(archive)).filter((name) => name.includes('clientes'))).toEqual([])
  const report = await readFile((await ground.export(id)).report, 'utf8')
  expect(report).toContain(`Bia;${cpf(1)};ok;`)
  expect(report).not.toContain('Ana')
  expect(await left()).toEqual([])
})

test('an upload that is not submitted yet is found if it names the person, and counted as erased', async () => {
  const { id } = await ground.answered(`CPF;Outro\n${cpf(1)};${person}\n`)
  for (const upload of [
    `CPF;Outro\n${cpf(1)};${person}\n`,
    `a;b\nAna;${formatDocument(person)}\nBia;${cpf(1)}\nRui;${Number(person)}\n`,
    workbookOf({ Capa: { 1: ['x'] }, Base: { 1: ['a'], 2: [Number(person)] } }),
    Buffer.concat([Buffer.from('%PDF-1.7\0'), Buffer.from(person)]),
    `a;b\nBia;${cpf(2)}\n`,
    workbookOf({ Base: { 1: ['a'], 2: [cpf(2)] } }),
    Buffer.from('%PDF-1.7\0'),
  ])
    await keepUpload(ground.sql, upload)

  const found = async () => (await findTraces({ sql: ground.sql, home: ground.home }, person)).storedFiles
  const rows = [1, 2, 1, 1].map((rows, i) => ({ batches: i === 0 ? [Number(id)] : [], rows }))
  expect(await found()).toEqual(rows)
  expect(await erase()).toMatchObject({ storedFiles: 4, batches: [id] })
  expect(await found()).toEqual([])
})
