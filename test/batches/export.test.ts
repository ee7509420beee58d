import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test as check, fc } from '@fast-check/vitest'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { formatDocument } from '../../src/domain/document.ts'
import { type Delimiter, delimiters, type Encoding } from '../../src/files/csv/dialect.ts'
import { decodeText, encodeText } from '../../src/files/csv/encoding.ts'
import { inPieces, joined } from '../files/csv/bytes.ts'
import { partsOf, zipOf } from '../files/xlsx/hand-made.ts'
import { anyCharacter } from '../support/any-character.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { readCsv, sheetsIn } from '../support/read-report.ts'
import { runs } from '../support/runs.ts'
import { sharedGround } from './ground.ts'

const t = sharedGround()

let organization = 1
/** Each file belongs to an organization of its own, so that no batch shares a look-up with another one. */
const exported = async (content: string | Uint8Array, encoding: 'utf8' | 'same' = 'utf8') => {
  const batch = await t.answered(content, { organizationId: organization++ })
  return { batch, ...(await t.export(batch.id, { encoding })) }
}

const cellsOf = (text: string | Buffer, delimiter: string, newline: string): string[][] =>
  parse(text, { delimiter, record_delimiter: newline, relax_column_count: true, bom: true, skip_empty_lines: true })

type Written = { encoding: Encoding; bom: boolean }

const encoded = (text: string, written: Written) => joined(encodeText(inPieces(Buffer.from(text)), written))
const decoded = async (path: string, written: Written) =>
  String(await joined(decodeText(inPieces(await readFile(path)), written)))

test('characters of an answer that the encoding of the file lacks are counted in the manifest', async () => {
  const { batch } = await exported(Buffer.from(`documento;nome\r\n${cpf(7)};Jo\xe3o\r\n`, 'latin1'), 'same')
  await t.sql`update vigia.lookup set state = 'failed', message = '["text", "ファイル"]'`

  const same = await t.export(batch.id, { encoding: 'same' })
  expect(same.manifest.lostCharacters).toBe(4)
  expect((await readFile(same.report)).toString('latin1')).toContain('João;failed;????;')
  expect((await t.export(batch.id, { encoding: 'utf8' })).manifest.lostCharacters).toBe(0)
})

test('a pt-BR Excel file comes back with every original cell equal, in its own encoding', async () => {
  const excel = [
    'Código;Documento;Observação;Valor',
    '001;191;"linha um\nlinha dois";-1.234,50',
    `002;${cpf(5)};"disse ""olá""; e saiu";R$ 10,00`,
    '003;12.345.678/0001-95;São João – “aspas” € ção;=1+1',
    `004;${cpf(6)};;`,
  ].join('\r\n')
  const written: Written = { encoding: 'windows-1252', bom: false }
  const { report, rejects, manifest } = await exported(await encoded(`${excel}\r\n`, written), 'same')

  const [reported, rejected] = [await decoded(report, written), await decoded(rejects, written)]
  const given = [...cellsOf(reported, ';', '\r\n'), ...cellsOf(rejected, ';', '\r\n').slice(1)]
  expect(given.map((row) => row.slice(0, 4)).sort()).toEqual(cellsOf(excel, ';', '\r\n').sort())
  expect(manifest.input.dialect).toMatchObject({ encoding: 'windows-1252', delimiter: ';', newline: '\r\n' })
})

const encodings: Written[] = [
  { encoding: 'utf-8', bom: false },
  { encoding: 'utf-8', bom: true },
  { encoding: 'utf-16le', bom: true },
  { encoding: 'utf-16be', bom: true },
  { encoding: 'windows-1252', bom: false },
]

/** Every two of encoding, delimiter, line ending and `sep=` line together. */
const ways = encodings.flatMap((written, e) =>
  delimiters.map((delimiter, d) => {
    const newline = (['\r\n', '\n', '\r'] as const)[(e + 2 * d) % 3]!
    return { written, delimiter, newline, sepLine: (e + d) % 2 === 0 }
  }),
)

test('a file comes back as it was written, in each encoding, delimiter, line ending and with a `sep=` line', async () => {
  for (const { delimiter, newline, sepLine, written } of ways) {
    const rows = [
      ['documento', 'nome', 'obs'],
      [cpf(1), 'José Ação', 'a "b" c'],
      [cpf(2), `x${delimiter}y`, ''],
      ['123', 'não', 'é'],
    ]
    const quote = (cell: string) => (/["xy]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
    const lines = rows.map((cells) => cells.map(quote).join(delimiter))
    const head = sepLine ? `sep=${delimiter}${newline}` : ''

    const { report, rejects } = await exported(await encoded(head + lines.join(newline) + newline, written), 'same')

    const [out, rejected] = [await decoded(report, written), await decoded(rejects, written)]
    expect(out.startsWith(`${head}${lines[0]}${delimiter}result_status${delimiter}`)).toBe(true)
    for (const line of lines.slice(1, 3)) expect(out).toContain(`${newline}${line}${delimiter}ok${delimiter}`)
    expect(rejected).toContain(`${newline}${lines[3]}${delimiter}`)
    expect(out.endsWith(newline) && rejected.endsWith(newline)).toBe(true)
  }
})

test('short rows are padded, blank lines are left out and counted', async () => {
  const { report, manifest } = await exported(
    `documento;nome;obs\n${cpf(1)}\n\n${cpf(2)};Ana\n  \n${formatDocument(cpf(3))};Bia;x\n`,
  )

  const rows = cellsOf(await readFile(report), ';', '\n')
  expect(rows.slice(1).map((row) => row.slice(0, 4))).toEqual([
    [cpf(1), '', '', 'ok'],
    [cpf(2), 'Ana', '', 'ok'],
    [formatDocument(cpf(3)), 'Bia', 'x', 'ok'],
  ])
  expect((await readCsv(report)).map(({ result_repair }) => result_repair)).toEqual(['', '', 'mask'])
  expect(manifest).toMatchObject({ rows: 3, blankLines: 2, complete: true })
})

test('a fixed rejects file brings only its own rows, without the columns that were added', async () => {
  const { rejects } = await exported(`ref;documento\n1;${cpf(1)}\n2;123\n3;999\n`)
  const second = await exported((await readFile(rejects, 'utf8')).replace('2;123', `2;${cpf(2)}`))

  expect(second.batch).toMatchObject({ rows: 2, rejected: 1 })
  const [header, ...rows] = cellsOf(await readFile(second.report), ';', '\n')
  expect(header?.slice(0, 3)).toEqual(['ref', 'documento', 'result_status'])
  expect(rows.map((row) => row.slice(0, 3))).toEqual([['2', cpf(2), 'ok']])
  const left = cellsOf(await readFile(second.rejects), ';', '\n')
  expect(left[0]).toEqual(['ref', 'documento', 'reject_line', 'reject_reason', 'reject_detail'])
  expect(left[1]?.slice(0, 2)).toEqual(['3', '999'])
})

test('rows that nobody fixed lose nothing, however often their rejects are dropped again', async () => {
  const tooMany = `Ana;${cpf(1)};paid; late`
  const unclosed = `"Silva; Bia";${cpf(2)};"Rio; de Janeiro`
  let text = `nome;documento;obs\n${tooMany}\n${unclosed}\n`
  for (const round of [1, 2, 3]) {
    const { batch, rejects } = await exported(text)
    const [, ...rows] = (await t.sheets(batch.id)).Rejects!
    const before = text
    text = await readFile(rejects, 'utf8')
    expect(text).toContain(`\n${tooMany};2;columns;`)
    expect(text).toContain(`\n${unclosed};3;quotes;`)
    expect(rows.map(({ cells }) => cells.slice(3))).toEqual([tooMany.split(';'), unclosed.split(';')])
    if (round === 3) expect(text).toBe(before)
  }
  const { batch } = await exported(text.replace('"Rio; de', 'Rio  de'))
  expect(batch).toMatchObject({ rows: 2, rejected: 1 })
})

test('documents without a header get one in any column, and their rejects can be dropped again', async () => {
  const { batch, report, rejects } = await exported(`;${cpf(1)}\n;123\n`)

  const head = async (path: string) => cellsOf(await readFile(path), ';', '\n').map((row) => row.slice(0, 3))
  const header = ['', 'documento', 'result_status']
  expect(await head(report)).toEqual([header, ['', cpf(1), 'ok']])
  const rejected = await readFile(rejects, 'utf8')
  expect(rejected).toMatch(/^\ufeff;documento;reject_line;reject_reason;reject_detail\n;123;2;length;/)
  expect((await t.sheets(batch.id)).Results!.map(({ cells }) => cells.slice(0, 3))).toEqual([
    ['', 'documento', 'Status'],
    ['', cpf(1), 'answered'],
    ['', '123', 'rejected'],
  ])

  const patched = await exported(rejected.replace(';123;', `;${cpf(2)};`))
  expect(patched.batch).toMatchObject({ rows: 1, rejected: 0 })
  expect(await head(patched.report)).toEqual([header, ['', cpf(2), 'ok']])
})

test('process numbers without a header get one too', async () => {
  const { id } = await t.imported(';0058967-77.2016.8.19.0000\n', { kind: 'inactivation' })
  expect(await readFile((await t.export(id)).report, 'utf8')).toMatch(/^\ufeff;numero_processo;result_status;/)
})

test('formulas from the registry are made inert, and numbers are left alone', async () => {
  const answers = { remoteId: '=HYPERLINK("http://evil";"x")', cents: -123456n }
  const { id } = await t.answered(csvOf(cpfs(3)), { answers })
  const [row] = await t.report(id)
  expect(row!.result_id).toMatch(/^'=HYPERLINK\("http:\/\/evil";"x"\)\d*$/)
  expect(row!.ALL_value).toBe('-1234,56')
})

test('text of a sheet that would start a formula is inert in the CSV files, and numbers and cells of a CSV come back as they were', async () => {
  const cell = (text: string) => `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
  const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
  const number = (value: number) => `<c><v>${value}</v></c>`
  const rows = [
    row(cell('=== Clientes; todos ===')),
    row(cell('documento'), cell('@nota'), cell('valor'), cell('fone')),
    row(cell(cpf(1)), cell('=HYPERLINK(&quot;http://x&quot;;1)'), number(-5.25), cell('+5511999998888')),
    row(cell(cpf(2)), cell(' -2+3|cmd'), number(-1.5e19), cell('a=b')),
    row(cell('123'), cell('@SUM(A1)'), number(7), cell('=1')),
  ]
  const sheet = await t.imported(zipOf(partsOf(rows.join(''))), { format: 'csv' })
  const files = await t.export(sheet.id)

  const [title, header, first, second] = (await readFile(files.report, 'utf8')).split('\r\n')
  expect(title).toBe(`\uFEFF"'=== Clientes; todos ==="`)
  expect(header).toMatch(/^documento;'@nota;valor;fone;result_status/)
  expect(first).toMatch(new RegExp(`^${cpf(1)};"'=HYPERLINK\\(""http://x"";1\\)";-5,25;\\+5511999998888;`))
  expect(second).toMatch(new RegExp(`^${cpf(2)};' -2\\+3\\|cmd;-1,5E\\+19;a=b;`))
  expect((await readFile(files.rejects, 'utf8')).split('\r\n')[2]).toMatch(/^123;'@SUM\(A1\);7;'=1;/)
  const csv = await exported(`documento;nota\r\n${cpf(1)};=1+1\r\n`)
  expect(await readFile(csv.report, 'utf8')).toContain(`\r\n${cpf(1)};=1+1;`)
})

test('an amount that could not be read stays the text that it was, beside those that could', async () => {
  const { id } = await t.answered(csvOf(cpfs(1)))
  await t.sql`update vigia.answer set cents[2] = null, amounts = array_fill(null::text, array[20])`
  await t.sql`update vigia.answer set amounts[2] = '=1;about "3"'`
  const [row] = await t.report(id)
  const values = Object.entries(row!).filter(([header]) => header.endsWith('_value'))
  expect(values.map(([, value]) => value)).toEqual(['1234,56', `'=1;about "3"`, ...Array(18).fill('1234,56')])
})

/** Tabs, line ends and backslashes are what COPY escapes; the others what a CSV, a formula or XML does not take as it is. */
const anyText = fc
  .string({ unit: fc.oneof(anyCharacter, fc.constantFrom(...'\\N\t\r\n\v"\';,| =+-@＝_x0D&<\ufffe')), minLength: 1 })
  .filter((text) => !text.includes('\0'))
  .map((text) => text.toWellFormed())

check.prop([fc.array(anyText, { minLength: 50, maxLength: 50 })], runs(2))(
  'whatever the registry says, a report has it in its cell, starts no formula with it and keeps its rows',
  async (names) => {
    const { id } = await t.answered(csvOf(cpfs(names.length)), { organizationId: organization++ })
    await t.sql`
      update vigia.lookup l set registry_name = given.name
        from unnest(${names}::text[]) with ordinality as given (name, at)
        join vigia.batch_row r on r.batch_id = ${id} and r.line = given.at + 1
       where l.id = r.lookup_id`

    const { report, workbook } = await t.export(id, { format: 'xlsx', language: 'en' })

    const cells = (await readCsv(report)).map(({ registry_name }) => registry_name!)
    expect(cells.map((cell) => cell.replace(/^'/, ''))).toEqual(names.map((name) => name.replace(/^'/, '')))
    for (const cell of cells) expect(cell).not.toMatch(/^[\s\p{Cc}]*([=+@＝＋－＠]|-(?![0-9]+([.,][0-9]+)?$))/u)
    const [head, ...sheet] = (await sheetsIn(workbook!)).Results!
    const at = head!.cells.indexOf('Name at the registry')
    expect(sheet.map((row) => row.cells[at])).toEqual(names)
  },
)

test('the same snapshot gives the same bytes', async () => {
  const { id } = await t.answered(csvOf([...cpfs(500), 'x']))
  const files = async (folder: string) => {
    const { report, rejects, workbook, manifest } = await t.export(id, { folder, format: 'xlsx' })
    const bytes = await Promise.all([report, rejects, workbook!].map((path) => readFile(path)))
    return { manifest, bytes }
  }
  expect(await files(join(t.home.outbox, 'again'))).toEqual(await files(join(t.home.outbox, 'first')))
})

test('a partial report says so, and open rows read pending', async () => {
  const { id } = await t.answered(csvOf(cpfs(4)), { answers: { limit: 1 } })
  const { report, manifest } = await t.export(id)

  expect(manifest).toMatchObject({ complete: false, states: { ok: 1, pending: 3 }, unanswered: 3 })
  const states = (await readCsv(report)).map(({ result_status }) => result_status)
  expect(states).toEqual(['ok', 'pending', 'pending', 'pending'])
})

test('a report that does not add up is not published, as text or as a workbook', async () => {
  const { id } = await t.imported(csvOf(cpfs(10)))
  await t.sql`delete from vigia.batch_row where line = 5`
  const folder = join(t.home.outbox, 'short')

  await expect(t.export(id, { folder })).rejects.toThrow('10 rows (0 rejected), but 9 reported and 0 rejected')
  await expect(t.sheets(id, { folder })).rejects.toThrow('does not add up')
  expect(await readdir(folder)).toEqual([])
})

test('a missing folder is created again', async () => {
  const { batch, folder } = await exported(csvOf(cpfs(2)))
  await rm(folder, { recursive: true })
  await t.export(batch.id)
  expect(await readdir(folder)).toHaveLength(3)
})

const dialect = fc.record({
  delimiter: fc.constantFrom<Delimiter>(...delimiters),
  newline: fc.constantFrom('\r\n', '\n'),
})
const people = fc.array(fc.oneof(fc.nat(20).map(cpf), fc.constantFrom('123', '1,2E+13', '"oops', ' ')), {
  minLength: 1,
  maxLength: 60,
})

check.prop([dialect, people, fc.nat(60)], runs(5))(
  'rows are always report and rejects together, and the counts add up to them',
  async ({ delimiter, newline }, documents, limit) => {
    const rows = documents.map((document, i) => `${document}${delimiter}${i}${newline}`)
    const text = `documento${delimiter}n${newline}${rows.join('')}`
    const batch = await t.answered(text, { organizationId: organization++, answers: { limit } })

    const { manifest } = await t.export(batch.id)

    expect(batch.rows).toBe(documents.length)
    expect(Object.values(manifest.states).reduce((sum, rows) => sum + rows, 0)).toBe(batch.rows)
    expect(manifest.states.rejected ?? 0).toBe(batch.rejected)
  },
)
