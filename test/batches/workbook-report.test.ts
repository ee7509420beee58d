import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportBatch, exportWorkbook } from '../../src/batches/export.ts'
import type { Submission } from '../../src/batches/submit.ts'
import type { Kind } from '../../src/domain/kind.ts'
import { readWorkbook, type WorkbookRow } from '../../src/files/xlsx/read-workbook.ts'
import { cpf } from '../support/documents.ts'
import { answerAll } from './answers.ts'
import { type Ground, setupGround } from './ground.ts'

let t: Ground
beforeAll(async () => {
  t = await setupGround()
})
afterAll(() => t[Symbol.asyncDispose]())

const now = new Date('2026-11-15T12:00:00Z')
const common = { timezone: 'America/Sao_Paulo', now }

let organization = 1
const imported = (content: string, more: Partial<Submission> = {}) =>
  t.imported(content, { organizationId: organization++, format: 'xlsx', ...more })

const sheetsIn = async (path: string): Promise<Record<string, WorkbookRow[]>> => {
  await using workbook = await readWorkbook(path)
  const sheets: Record<string, WorkbookRow[]> = {}
  for (const { name } of workbook.sheets) {
    sheets[name] = []
    for await (const rows of workbook.rows(name)) sheets[name].push(...rows)
  }
  return sheets
}

const file = [
  'Código;CPF;Observação',
  `001;${cpf(1)};"disse ""olá""; e saiu"`,
  '002;123;curto',
  `003;${cpf(2)}`,
  `004;${cpf(3)};=1+1`,
].join('\r\n')

test('the workbook holds the file with typed results on the right, a summary, the rejects and an explanation', async () => {
  const batch = await imported(file)
  await answerAll(t.sql, batch.id, { limit: 2 })
  const folder = join(t.home.outbox, String(batch.id))

  const { workbook, manifest } = await exportBatch(t.sql, batch.id, { folder, ...common })

  const sheets = await sheetsIn(workbook!)
  expect(Object.keys(sheets)).toEqual(['Resultados', 'Resumo', 'Rejeitados', 'Sobre'])
  const [header, ...rows] = sheets.Resultados!
  expect(header!.cells.slice(0, 8)).toEqual([
    'Código',
    'CPF',
    'Observação',
    'Situação',
    'Risco',
    'Detalhe',
    'Cobrado',
    'Reparo',
  ])
  expect(header!.cells.at(-1)).toBe('Litígio (R$)')
  expect(rows.map(({ cells }) => cells.slice(0, 5))).toEqual([
    ['001', cpf(1), 'disse "olá"; e saiu', 'respondido', 'com risco'],
    ['002', '123', 'curto', 'rejeitado', ''],
    ['003', cpf(2), '', 'respondido', 'com risco'],
    ['004', cpf(3), '=1+1', 'em aberto', ''],
  ])
  expect(rows[0]!.cells.slice(6)).toEqual([
    'sim',
    '',
    cpf(1),
    '2026-11-01 09:00:00',
    rows[0]!.cells[10],
    ...['', '', '', ''],
    ...Array.from({ length: 20 }, () => ['7', '1234.56']).flat(),
  ])
  expect(rows[1]!.cells.slice(5)).toEqual([
    'Dígitos a mais ou a menos: 3 dígitos: um CPF tem 11, um CNPJ tem 14, e zeros à esquerda não resolvem',
    'não',
  ])
  expect(rows[0]!.types).toBe(`ttttt-t-tDt----${'nn'.repeat(20)}`)
  expect(sheets.Rejeitados!.slice(1).map(({ cells }) => cells)).toEqual([
    [
      '3',
      'Dígitos a mais ou a menos',
      '3 dígitos: um CPF tem 11, um CNPJ tem 14, e zeros à esquerda não resolvem',
      '002',
      '123',
      'curto',
    ],
  ])
  const bytes = await readFile(workbook!)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(manifest.files.workbook).toEqual({ sha256, bytes: bytes.length })
})

test('the summary adds up, and shows what was answered, what is at risk and what it cost', async () => {
  const batch = await imported(file, { language: 'en' })
  await answerAll(t.sql, batch.id, { limit: 2 })
  await t.sql`update vigia.batch set spent = 2 where id = ${batch.id}`
  const folder = join(t.home.outbox, String(batch.id))
  const defaults = { language: 'pt-BR', prices: { analysis: { cents: 190, currency: 'BRL' } } } as const

  const { workbook } = await exportBatch(t.sql, batch.id, { folder, ...common, defaults })

  const { Summary } = await sheetsIn(workbook!)
  const line = (label: string) => Summary!.find(({ cells }) => cells[0] === label)?.cells.slice(1)
  expect(line('answered')).toEqual(['2', '0.5'])
  expect(line('rejected')).toEqual(['1', '0.25'])
  expect(line('open')).toEqual(['1', '0.25'])
  expect(line('Total')).toEqual(['4'])
  expect(line('at risk')).toEqual(['2', '1'])
  expect(line('Charged')).toEqual(['2'])
  expect(line('Charged, in BRL')).toEqual(['3.8'])
  expect(line('Labour claims')).toEqual(['2', '14', '2469.12'])
})

test('a figure that is missing is an empty cell, and an amount that could not be read the text it came as', async () => {
  const batch = await imported(`documento\n${cpf(1)}\n`)
  await answerAll(t.sql, batch.id)
  await t.sql`
    update vigia.answer
       set counts[1] = null, cents[2] = null, cents[3] = null, amounts = array_fill(null::text, array[20]) || '{}'
     where lookup_id in (select lookup_id from vigia.batch_row where batch_id = ${batch.id})`
  await t.sql`
    update vigia.answer set amounts[2] = '=1;about "3"'
     where lookup_id in (select lookup_id from vigia.batch_row where batch_id = ${batch.id})`
  const folder = join(t.home.outbox, String(batch.id))

  const { workbook } = await exportWorkbook(t.sql, batch.id, { folder, ...common })

  const [, row] = (await sheetsIn(workbook)).Resultados!
  expect(row!.cells.slice(13, 19)).toEqual(['', '1234.56', '7', '=1;about "3"', '7', ''])
  expect(row!.types.slice(13)).toBe(`-nntn-${'nn'.repeat(17)}`)
})

const answers: [Kind, object, string[], string][] = [
  ['cnh', { seen: 'DONE', data: { numero: '=1' } }, ['DONE', '{"numero": "=1"}'], 'tt'],
  ['scr', { data: { valor: 1 } }, ['{"valor": 1}'], 't'],
  ['processes', { total: 3 }, ['3'], 'n'],
  ['radar', { data: { radarId: '+77', active: true } }, ['+77', 'TRUE'], 'tb'],
  ['inactivation', { data: { status: 'INACTIVE' } }, ['INACTIVE'], 't'],
]

test.each(answers)('an answer of the kind %s stands in its own columns', async (kind, answer, cells, types) => {
  const file = kind === 'inactivation' ? 'numero_processo\n0058967-77.2016.8.19.0000\n' : `documento\n${cpf(1)}\n`
  const batch = await imported(file, { kind })
  const { seen = null, data = null, total = null } = answer as { seen?: string; data?: object; total?: number }
  const [lookup] = await t.sql<{ id: bigint }[]>`
    update vigia.lookup set state = 'ok', due_at = null, finished_at = now(), as_of = now(), charged = 'no', seen = ${seen}
     where id in (select lookup_id from vigia.batch_row where batch_id = ${batch.id}) returning id`
  await t.sql`insert into vigia.answer (lookup_id, total, data) values (${lookup!.id}, ${total}, ${t.sql.json(data as never)})`
  const folder = join(t.home.outbox, String(batch.id))

  const { workbook } = await exportWorkbook(t.sql, batch.id, { folder, ...common, language: 'en' })

  const [header, row] = (await sheetsIn(workbook)).Results!
  expect(header!.cells).toHaveLength(row!.cells.length)
  expect(row!.cells.slice(-cells.length)).toEqual(cells)
  expect(row!.types.slice(-cells.length)).toBe(types)
  expect(header!.cells.includes('Risk')).toBe(kind === 'processes')
})

test('a batch that came in as text gets no workbook unless one is asked for, and the choice is remembered', async () => {
  const plain = await imported(file, { format: undefined })
  const asked = await imported(file)
  const folder = (name: string) => join(t.home.outbox, name)

  await exportBatch(t.sql, plain.id, { folder: folder('plain'), ...common })
  await exportBatch(t.sql, asked.id, { folder: folder('asked'), ...common })
  await exportBatch(t.sql, plain.id, { folder: folder('chosen'), ...common, format: 'xlsx', language: 'en' })
  await exportBatch(t.sql, asked.id, { folder: folder('chosen as text'), ...common, format: 'csv' })

  expect((await readdir(folder('plain'))).length).toBe(3)
  expect(await readdir(folder('asked'))).toContain('people.report.xlsx')
  expect(Object.keys(await sheetsIn(join(folder('chosen'), 'people.report.xlsx')))).toContain('Rejects')
  expect((await readdir(folder('chosen as text'))).length).toBe(3)
})

test('a workbook that does not add up is not published', async () => {
  const batch = await imported(file)
  await t.sql`delete from vigia.batch_row where batch_id = ${batch.id} and line = 4`
  const folder = join(t.home.outbox, 'short')

  await expect(exportWorkbook(t.sql, batch.id, { folder, ...common })).rejects.toThrow('does not add up')

  expect(await readdir(folder)).toEqual([])
})

test('the same snapshot gives the same workbook', async () => {
  const batch = await imported(file)
  const [one, two] = [
    await exportWorkbook(t.sql, batch.id, { folder: join(t.home.outbox, 'one'), ...common }),
    await exportWorkbook(t.sql, batch.id, { folder: join(t.home.outbox, 'two'), ...common }),
  ]
  expect(await readFile(one.workbook)).toEqual(await readFile(two.workbook))
})

test('a text that is too long for a cell is cut', async () => {
  const batch = await imported(`documento\n${[1, 2, 3, 4].map(cpf).join('\n')}\n`, { language: 'en' })
  await answerAll(t.sql, batch.id)
  const texts = ['ç'.repeat(40_000), '😀'.repeat(20_000), 'd'.repeat(32_767), '😀'.repeat(16_383)]
  for (const [i, text] of texts.entries())
    await t.sql`
      update vigia.lookup set registry_name = ${text}
       where question = ${cpf(i + 1)} and id in (select lookup_id from vigia.batch_row where batch_id = ${batch.id})`

  const { workbook } = await exportWorkbook(t.sql, batch.id, { folder: join(t.home.outbox, 'long'), ...common })

  const [header, ...rows] = (await sheetsIn(workbook)).Results!
  const at = header!.cells.indexOf('Name at the registry')
  const cells = rows.map((row) => row.cells[at]!)
  expect(cells.map((cell, i) => cell === texts[i])).toEqual([false, false, true, true])
  for (const cell of cells.slice(0, 2)) expect([cell.length <= 32_767, cell.at(-1)]).toEqual([true, '…'])
})

test('a row that was rejected for too many cells keeps its place, with results under their headers, and all of its cells among the rejects', async () => {
  const batch = await imported(`CPF;Nome\n${cpf(1)};Ana\n${cpf(2)};Rui;a;b;c\n`, { language: 'en' })
  const folder = join(t.home.outbox, String(batch.id))

  const { workbook } = await exportWorkbook(t.sql, batch.id, { folder, ...common })

  const { Results, Rejects } = await sheetsIn(workbook)
  expect(Results!.map(({ cells }) => cells.slice(0, 3))).toEqual([
    ['CPF', 'Nome', 'Status'],
    [cpf(1), 'Ana', 'open'],
    [cpf(2), 'Rui', 'rejected'],
  ])
  expect(Rejects![1]!.cells.slice(3)).toEqual([cpf(2), 'Rui', 'a', 'b', 'c'])
})
