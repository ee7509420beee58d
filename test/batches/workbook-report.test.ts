import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Kind } from '../../src/domain/kind.ts'
import { cpf } from '../support/documents.ts'
import { sheetsIn } from '../support/read-report.ts'
import { sharedGround } from './ground.ts'

const t = sharedGround()

const file = [
  'Código;CPF;Observação',
  `001;${cpf(1)};"disse ""olá""; e saiu"`,
  '002;123;curto',
  `003;${cpf(2)}`,
  `004;${cpf(3)};=1+1`,
].join('\r\n')

const two = { answers: { limit: 2 } }

test('the workbook holds the file with typed results on the right, a summary, the rejects and an explanation', async () => {
  const { id } = await t.answered(file, two)
  const { workbook, manifest } = await t.export(id, { format: 'xlsx' })

  const sheets = await sheetsIn(workbook!)
  expect(Object.keys(sheets)).toEqual(['Resultados', 'Resumo', 'Rejeitados', 'Sobre'])
  const [header, ...rows] = sheets.Resultados!
  const own = ['Código', 'CPF', 'Observação']
  expect(header!.cells.slice(0, 8)).toEqual([...own, 'Situação', 'Risco', 'Detalhe', 'Cobrado', 'Reparo'])
  expect(header!.cells.at(-1)).toBe('Litígio (R$)')
  expect(rows.map(({ cells }) => cells.slice(0, 5))).toEqual([
    ['001', cpf(1), 'disse "olá"; e saiu', 'respondido', 'com risco'],
    ['002', '123', 'curto', 'rejeitado', ''],
    ['003', cpf(2), '', 'respondido', 'com risco'],
    ['004', cpf(3), '=1+1', 'em aberto', ''],
  ])
  const [answered, rejected] = rows.map(({ cells }) => cells)
  const common = ['sim', '', cpf(1), '2026-11-01 09:00:00', answered![10]]
  const figures = Array.from({ length: 20 }, () => ['7', '1234.56']).flat()
  expect(answered!.slice(6)).toEqual([...common, '', '', '', '', ...figures])
  const [reason, detail] = [
    'Dígitos a mais ou a menos',
    '3 dígitos: um CPF tem 11, um CNPJ tem 14, e zeros à esquerda não resolvem',
  ]
  expect(rejected!.slice(5)).toEqual([`${reason}: ${detail}`, 'não'])
  expect(rows[0]!.types).toBe(`ttttt-t-tDt----${'nn'.repeat(20)}`)
  const rejects = sheets.Rejeitados!.slice(1).map(({ cells }) => cells)
  expect(rejects).toEqual([['3', reason, detail, '002', '123', 'curto']])
  const bytes = await readFile(workbook!)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(manifest.files.workbook).toEqual({ sha256, bytes: bytes.length })
})

test('the summary adds up, and shows what was answered, what is at risk and what it cost', async () => {
  const { id } = await t.answered(file, { ...two, language: 'en' })
  await t.sql`update vigia.batch set spent = 2`
  const budget = { unitPrice: { analysis: { cents: 190, currency: 'BRL' } } }

  const { Summary } = await t.sheets(id, {
    settings: { ...t.settings, budget: { ...t.settings.budget, ...budget } },
    language: undefined,
  })
  const lines = new Map(Summary!.map(({ cells: [label, ...figures] }) => [label, figures]))
  const expected = {
    answered: ['2', '0.5'],
    rejected: ['1', '0.25'],
    open: ['1', '0.25'],
    Total: ['4'],
    'at risk': ['2', '1'],
    Charged: ['2'],
    'Charged, in BRL': ['3.8'],
    'Labour claims': ['2', '14', '2469.12'],
  }
  for (const [label, figures] of Object.entries(expected)) expect([label, lines.get(label)]).toEqual([label, figures])
})

test('a figure that is missing is an empty cell, and an amount that could not be read the text it came as', async () => {
  const { id } = await t.answered(`documento\n${cpf(1)}\n`)
  await t.sql`
    update vigia.answer
       set counts[1] = null, cents[2] = null, cents[3] = null, amounts = array_fill(null::text, array[20]) || '{}'`
  await t.sql`update vigia.answer set amounts[2] = '=1;about "3"'`

  const [, row] = (await t.sheets(id)).Results!
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
  const { id } = await t.imported(file, { kind })
  const { seen = null, data = null, total = null } = answer as { seen?: string; data?: object; total?: number }
  await t.sql`
    update vigia.lookup set state = 'ok', due_at = null, finished_at = now(), as_of = now(), charged = 'no', seen = ${seen}`
  await t.sql`insert into vigia.answer (lookup_id, total, data) select id, ${total}, ${t.sql.json(data as never)} from vigia.lookup`

  const [header, row] = (await t.sheets(id)).Results!
  expect(header!.cells).toHaveLength(row!.cells.length)
  expect(row!.cells.slice(-cells.length)).toEqual(cells)
  expect(row!.types.slice(-cells.length)).toBe(types)
  expect(header!.cells.includes('Risk')).toBe(kind === 'processes')
})

test('a batch that came in as text gets no workbook unless one is asked for, and the choice is remembered', async () => {
  const plain = await t.imported(file)
  const asked = await t.imported(file, { format: 'xlsx', organizationId: 2 })
  const written = async (id: bigint, options = {}) => readdir((await t.export(id, options)).folder)

  expect(await written(plain.id)).toHaveLength(3)
  expect(await written(asked.id)).toContain('people.report.xlsx')
  expect(await written(asked.id, { format: 'csv' })).toHaveLength(3)
  const chosen = await t.export(plain.id, { format: 'xlsx', language: 'en' })
  expect(Object.keys(await sheetsIn(chosen.workbook!))).toContain('Rejects')
})

test('a text that is too long for a cell is cut', async () => {
  const { id } = await t.answered(`documento\n${[1, 2, 3, 4].map(cpf).join('\n')}\n`)
  const texts = ['ç'.repeat(40_000), '😀'.repeat(20_000), 'd'.repeat(32_767), '😀'.repeat(16_383)]
  for (const [i, text] of texts.entries())
    await t.sql`update vigia.lookup set registry_name = ${text} where question = ${cpf(i + 1)}`

  const [header, ...rows] = (await t.sheets(id)).Results!
  const at = header!.cells.indexOf('Name at the registry')
  const cells = rows.map((row) => row.cells[at]!)
  expect(cells.map((cell, i) => cell === texts[i])).toEqual([false, false, true, true])
  for (const cell of cells.slice(0, 2)) expect([cell.length <= 32_767, cell.at(-1)]).toEqual([true, '…'])
})

test('a row that was rejected for too many cells keeps its place, with results under their headers, and all of its cells among the rejects', async () => {
  const { id } = await t.imported(`CPF;Nome\n${cpf(1)};Ana\n${cpf(2)};Rui;a;b;c\n`)
  const { Results, Rejects } = await t.sheets(id)
  expect(Results!.map(({ cells }) => cells.slice(0, 3))).toEqual([
    ['CPF', 'Nome', 'Status'],
    [cpf(1), 'Ana', 'open'],
    [cpf(2), 'Rui', 'rejected'],
  ])
  expect(Rejects![1]!.cells.slice(3)).toEqual([cpf(2), 'Rui', 'a', 'b', 'c'])
})
