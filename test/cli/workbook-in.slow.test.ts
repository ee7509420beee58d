import { expect, test } from 'vitest'
import { readLayout } from '../../src/batches/read-layout.ts'
import { openCsv } from '../../src/files/csv/read.ts'
import { FileProblem } from '../../src/files/file-problem.ts'
import { openTable } from '../../src/files/open-table.ts'
import { inPortuguese } from '../../src/messages/message.ts'
import { workbookOf } from '../batches/people-workbook.ts'
import { hostileWorkbooks } from '../files/xlsx/hostile-workbooks.ts'
import { cpf } from '../support/documents.ts'
import { installHere as install } from './vigia-process.ts'

/** Files that are no workbook: the text reader handles these. */
const asText = [
  'nothing at all',
  'a CSV by another name',
  'UTF-16 text',
  'a PDF',
  'a picture',
  'a gzip',
  'random bytes',
]

test('every hostile workbook is refused with one sentence, in both languages', async () => {
  const hostile = hostileWorkbooks()
  expect(hostile.length).toBeGreaterThanOrEqual(30)
  for (const { name, bytes, code } of hostile) {
    const open = async function* () {
      yield bytes
    }
    const request = { kind: 'analysis', choice: {}, remembered: [] } as const
    const problem = await openTable(open, request).then(
      () => null,
      (error) => error,
    )
    if (asText.includes(name)) continue
    expect(problem, name).toBeInstanceOf(FileProblem)
    expect(problem.code, name).toBe(code)
    expect(inPortuguese(problem.reason), name).not.toBe(problem.message)
  }
})

test('plan says what to do with an unreadable workbook, and stores nothing', async () => {
  await using t = await install()
  const hostile = new Map(hostileWorkbooks().map((each) => [each.name, each.bytes]))
  for (const [name, says] of [
    ['a workbook of 1997', 'save it as .xlsx'],
    ['a workbook with a password', 'protected by a password'],
    ['an .ods', 'OpenDocument'],
    ['an .xlsb', 'binary workbook'],
    ['a page', 'a page of HTML'],
    ['a zip of a CSV', 'unpack it'],
    ['a PDF', 'a PDF'],
    ['half a file', 'save it anew'],
    ['ten thousand parts', 'more than 10000 parts'],
  ] as const) {
    const { exitCode, stderr } = await t.vigia('plan', await t.write('clientes.xlsx', hostile.get(name)!))
    expect(stderr, name).toContain(says)
    expect(stderr, name).not.toContain('unexpected error')
    expect(exitCode, name).toBe(1)
  }
  expect(await t.sql`select id from vigia.file`).toHaveLength(0)
})

test('plan offers the option that reads a file, submit remembers it, and the next file needs none', async () => {
  await using t = await install()
  const rows = (document: string) => ({ 1: ['Carteira'], 3: ['Cliente', 'Doc. Cliente'], 4: ['Ana', document] })
  const first = await t.write('um.xlsx', workbookOf({ Base: rows(cpf(1)) }))
  const offered = await t.vigia('plan', first)
  expect(offered).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('add --column documento="Doc. Cliente"'),
  })
  const planned = await t.vigia('plan', first, '--column', 'documento=Doc. Cliente')
  expect(planned.stdout).toContain('sheet "Base", header at line 3, asked about: column "Doc. Cliente"')
  expect(await t.sql`select id from vigia.column_choice`).toHaveLength(0)

  await t.vigia('submit', first, '--column', 'documento=Doc. Cliente', '--column', 'nome=Cliente')
  const second = await t.write('dois.xlsx', workbookOf({ Base: rows(cpf(2)) }))
  const { stdout } = await t.vigia('plan', second, '--json')
  expect(JSON.parse(stdout).reads).toMatchObject({
    sheet: 'Base',
    headerLine: 3,
    columns: { documento: 'Doc. Cliente', nome: 'Cliente' },
    remembered: 1,
  })
  expect((await t.vigia('columns')).stdout).toContain('nome="Cliente", documento="Doc. Cliente"')
  expect((await t.vigia('columns', '--forget', '1')).stdout).toContain('Forgot choice 1.')
  expect(await t.vigia('columns', '--forget', '1')).toMatchObject({ exitCode: 1 })
  expect((await t.vigia('plan', second)).exitCode).toBe(1)
})

test('a workbook with more rows than the first look of a quote is read to its end', async () => {
  const rows = Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [i + 2, [cpf(i), `Pessoa de Teste ${i}`]]))
  const bytes = workbookOf({ Base: { 1: ['CPF', 'Nome'], ...rows } })
  const open = async function* () {
    yield bytes
  }
  const request = { kind: 'analysis', choice: {}, remembered: [] } as const
  await using table = await openTable(open, request)
  const { layout } = await readLayout(table, request)
  const csv = await openCsv(table.open(), layout.dialect)
  let read = 0
  for await (const records of csv.records) read += records.length
  expect(read).toBe(6_000)
})

test('plan shows how many rows --document-type would fix, and what the workbook still has', async () => {
  await using t = await install()
  const file = await t.write('clientes.csv', `documento\n191\n${cpf(1)}\n`)
  expect((await t.vigia('plan', file)).stdout).toMatch(
    /Can be fixed\s+1 ambiguous row, with --document-type CPF or CNPJ/,
  )
  expect((await t.vigia('plan', file, '--document-type', 'cpf')).stdout).not.toContain('Rejected')
  expect((await t.vigia('plan', file, '--document-type', 'RG')).exitCode).toBe(2)
  expect((await t.vigia('plan', file, '--column', 'cor=documento')).exitCode).toBe(2)
})
