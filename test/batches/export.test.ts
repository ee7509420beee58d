import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test as check, fc } from '@fast-check/vitest'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportBatch } from '../../src/batches/export.ts'
import { type Delimiter, delimiters, type Encoding } from '../../src/files/csv/dialect.ts'
import { decodeText, encodeText } from '../../src/files/csv/encoding.ts'
import { inPieces, joined } from '../files/csv/bytes.ts'
import { rowsIn } from '../files/xlsx/hand-made.ts'
import { anyCharacter } from '../support/any-character.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { runs } from '../support/runs.ts'
import { answerAll } from './answers.ts'
import { type Ground, setupGround } from './ground.ts'

let t: Ground
beforeAll(async () => {
  t = await setupGround()
})
afterAll(() => t[Symbol.asyncDispose]())

const now = new Date('2026-11-15T12:00:00Z')

let organization = 1
/** Each file belongs to an organization of its own, so that no batch shares a look-up with another test's. */
const exported = async (content: string | Uint8Array, encoding: 'utf8' | 'same' = 'utf8') => {
  const batch = await t.imported(content, { organizationId: organization++ })
  await answerAll(t.sql, batch.id)
  const folder = join(t.home.outbox, String(batch.id))
  return { batch, ...(await exportBatch(t.sql, batch.id, { folder, timezone: 'America/Sao_Paulo', now, encoding })) }
}

const cellsOf = (text: string | Buffer, delimiter: string, newline: string): string[][] =>
  parse(text, { delimiter, record_delimiter: newline, relax_column_count: true, bom: true, skip_empty_lines: true })

const excel = [
  'Código;Documento;Observação;Valor',
  '001;191;"linha um\nlinha dois";-1.234,50',
  `002;${cpf(5)};"disse ""olá""; e saiu";R$ 10,00`,
  '003;12.345.678/0001-95;São João – “aspas” € ção;=1+1',
  `004;${cpf(6)};;`,
].join('\r\n')

test('characters of an answer that the encoding of the file lacks are counted in the manifest', async () => {
  const bytes = Buffer.from(`documento;nome\r\n${cpf(7)};Jo\xe3o\r\n`, 'latin1')
  const { batch, folder } = await exported(bytes, 'same')
  await t.sql`
    update vigia.lookup set state = 'failed', message = '["text", "ファイル"]'
     where id in (select lookup_id from vigia.batch_row where batch_id = ${batch.id})`
  const options = { folder, timezone: 'America/Sao_Paulo', now }

  const same = await exportBatch(t.sql, batch.id, { ...options, encoding: 'same' })
  expect(same.manifest.lostCharacters).toBe(4)
  expect((await readFile(same.report)).toString('latin1')).toContain('João;failed;????;')
  const utf8 = await exportBatch(t.sql, batch.id, { ...options, encoding: 'utf8' })
  expect(utf8.manifest.lostCharacters).toBe(0)
})

test('a pt-BR Excel file comes back with every original cell equal, in its own encoding', async () => {
  const bytes = await joined(
    encodeText(inPieces(Buffer.from(`${excel}\r\n`)), { encoding: 'windows-1252', bom: false }),
  )
  const { report, rejects, manifest } = await exported(bytes, 'same')

  const decode = async (path: string) =>
    joined(decodeText(inPieces(await readFile(path)), { encoding: 'windows-1252', bom: false }))
  const original = cellsOf(excel, ';', '\r\n')
  const given = [
    ...cellsOf(await decode(report), ';', '\r\n').slice(0),
    ...cellsOf(await decode(rejects), ';', '\r\n').slice(1),
  ].map((row) => row.slice(0, 4))
  expect(given.sort()).toEqual(original.sort())
  expect(manifest.input.dialect).toMatchObject({ encoding: 'windows-1252', delimiter: ';', newline: '\r\n' })
})

const encodings: { encoding: Encoding; bom: boolean }[] = [
  { encoding: 'utf-8', bom: false },
  { encoding: 'utf-8', bom: true },
  { encoding: 'utf-16le', bom: true },
  { encoding: 'utf-16be', bom: true },
  { encoding: 'windows-1252', bom: false },
]

const matrix = encodings.flatMap((written) =>
  delimiters.flatMap((delimiter) =>
    (['\r\n', '\n', '\r'] as const).flatMap((newline) =>
      [false, true].map((sepLine) => ({ ...written, delimiter, newline, sepLine })),
    ),
  ),
)

test(`gives ${matrix.length} ways of writing a file back as they came`, async () => {
  for (const way of matrix) {
    const { delimiter, newline, sepLine, encoding, bom } = way
    const rows = [
      ['documento', 'nome', 'obs'],
      [cpf(1), 'José Ação', 'a "b" c'],
      [cpf(2), `x${delimiter}y`, ''],
      ['123', 'não', 'é'],
    ]
    const text = write(rows, delimiter, newline, sepLine)
    const bytes = await joined(encodeText(inPieces(Buffer.from(text)), { encoding, bom }))

    const { report, rejects } = await exported(bytes, 'same')

    const [out, rejected] = await Promise.all(
      [report, rejects].map(async (path) => {
        const given = await readFile(path)
        const decoded = await joined(decodeText(inPieces(given), { encoding, bom }))
        return decoded.toString()
      }),
    )
    const head = sepLine ? `sep=${delimiter}${newline}` : ''
    const lines = text.slice(head.length).split(newline)
    expect(out!.startsWith(`${head}${lines[0]}${delimiter}result_status${delimiter}`), JSON.stringify(way)).toBe(true)
    expect(out).toContain(`${newline}${lines[1]}${delimiter}ok${delimiter}`)
    expect(out).toContain(`${newline}${lines[2]}${delimiter}ok${delimiter}`)
    expect(rejected).toContain(`${newline}${lines[3]}${delimiter}`)
    expect(out!.endsWith(newline) && rejected!.endsWith(newline)).toBe(true)
  }
})

const write = (rows: string[][], delimiter: string, newline: string, sepLine: boolean): string => {
  const quote = (cell: string) =>
    cell.includes('"') || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell
  const lines = rows.map((cells) => cells.map(quote).join(delimiter))
  return [...(sepLine ? [`sep=${delimiter}`] : []), ...lines].join(newline) + newline
}

test('short rows are padded, blank lines are left out and counted', async () => {
  const { report, manifest } = await exported(`documento;nome;obs\n${cpf(1)}\n\n${cpf(2)};Ana\n  \n${cpf(3)};Bia;x\n`)

  const rows = cellsOf(await readFile(report), ';', '\n')
  expect(rows.slice(1).map((row) => row.slice(0, 4))).toEqual([
    [cpf(1), '', '', 'ok'],
    [cpf(2), 'Ana', '', 'ok'],
    [cpf(3), 'Bia', 'x', 'ok'],
  ])
  expect(manifest).toMatchObject({ rows: 3, blankLines: 2, complete: true })
})

test('a fixed rejects file brings only its own rows, without the columns that were added', async () => {
  const { rejects } = await exported(`ref;documento\n1;${cpf(1)}\n2;123\n3;999\n`)
  const patched = (await readFile(rejects, 'utf8')).replace('2;123', `2;${cpf(2)}`)

  const second = await exported(patched)

  expect(second.batch).toMatchObject({ rows: 2, rejected: 1 })
  const [header, ...rows] = cellsOf(await readFile(second.report), ';', '\n')
  expect(header?.slice(0, 3)).toEqual(['ref', 'documento', 'result_status'])
  expect(rows.map((row) => row.slice(0, 3))).toEqual([['2', cpf(2), 'ok']])
  const left = cellsOf(await readFile(second.rejects), ';', '\n')
  expect(left[0]).toEqual(['ref', 'documento', 'reject_line', 'reject_reason', 'reject_detail'])
  expect(left[1]?.slice(0, 2)).toEqual(['3', '999'])
})

test('documents without a header get one in any column, and their rejects can be dropped again', async () => {
  const { batch, folder, report, rejects } = await exported(`;${cpf(1)}\n;123\n`)

  const rows = cellsOf(await readFile(report), ';', '\n').map((row) => row.slice(0, 3))
  expect(rows).toEqual([
    ['', 'documento', 'result_status'],
    ['', cpf(1), 'ok'],
  ])
  const rejected = await readFile(rejects, 'utf8')
  expect(rejected).toMatch(/^\ufeff;documento;reject_line;reject_reason;reject_detail\n;123;2;length;/)
  const options = { folder, timezone: 'America/Sao_Paulo', now, format: 'xlsx' } as const
  const { workbook } = await exportBatch(t.sql, batch.id, options)
  const sheet = await rowsIn(await readFile(workbook!))
  expect(sheet.map(({ cells }) => cells.slice(0, 3))).toEqual([
    ['', 'documento', 'Situação'],
    ['', cpf(1), 'respondido'],
    ['', '123', 'rejeitado'],
  ])

  const patched = await exported(rejected.replace(';123;', `;${cpf(2)};`))

  expect(patched.batch).toMatchObject({ rows: 1, rejected: 0 })
  expect(cellsOf(await readFile(patched.report), ';', '\n').map((row) => row.slice(0, 3))).toEqual([
    ['', 'documento', 'result_status'],
    ['', cpf(2), 'ok'],
  ])
})

test('process numbers without a header get one too', async () => {
  const text = ';0058967-77.2016.8.19.0000\n'
  const batch = await t.imported(text, { organizationId: organization++, kind: 'inactivation' })
  const folder = join(t.home.outbox, String(batch.id))

  const { report } = await exportBatch(t.sql, batch.id, { folder, timezone: 'America/Sao_Paulo', now })

  expect(await readFile(report, 'utf8')).toMatch(/^\ufeff;numero_processo;result_status;/)
})

test('formulas from the registry are made inert, and numbers are left alone', async () => {
  const batch = await t.imported(csvOf(cpfs(3)), { organizationId: organization++ })
  await answerAll(t.sql, batch.id, { remoteId: '=HYPERLINK("http://evil";"x")', cents: -123456n })
  const folder = join(t.home.outbox, String(batch.id))

  const { report } = await exportBatch(t.sql, batch.id, { folder, timezone: 'America/Sao_Paulo', now })

  const [header, row] = cellsOf(await readFile(report), ';', '\n') as [string[], string[]]
  const cell = (name: string) => row[header.indexOf(name)]
  expect(cell('result_id')).toMatch(/^'=HYPERLINK\("http:\/\/evil";"x"\)\d*$/)
  expect(cell('ALL_value')).toBe('-1234,56')
})

test('an amount that could not be read stays the text that it was, beside those that could', async () => {
  const batch = await t.imported(csvOf(cpfs(1)), { organizationId: organization++ })
  await answerAll(t.sql, batch.id)
  await t.sql`
    update vigia.answer set cents[2] = null, amounts = array_fill(null::text, array[20])
     where lookup_id in (select id from vigia.lookup where batch_id = ${batch.id})`
  await t.sql`
    update vigia.answer set amounts[2] = '=1;about "3"'
     where lookup_id in (select id from vigia.lookup where batch_id = ${batch.id})`
  const folder = join(t.home.outbox, String(batch.id))

  const { report } = await exportBatch(t.sql, batch.id, { folder, timezone: 'America/Sao_Paulo', now })

  const [header, row] = cellsOf(await readFile(report), ';', '\n') as [string[], string[]]
  const values = row.filter((_, at) => header[at]!.endsWith('_value'))
  expect(values).toEqual(['1234,56', `'=1;about "3"`, ...Array(18).fill('1234,56')])
})

/** Tabs, line ends and backslashes are what COPY escapes; the others what a CSV, a formula or XML does not take as it is. */
const anyText = fc
  .string({ unit: fc.oneof(anyCharacter, fc.constantFrom(...'\\N\t\r\n\v"\';,| =+-@＝_x0D&<\ufffe')), minLength: 1 })
  .filter((text) => !text.includes('\0'))
  .map((text) => text.toWellFormed())

check.prop([fc.array(anyText, { minLength: 20, maxLength: 20 })], { numRuns: 5 })(
  'whatever the registry says, a report has it in its cell, starts no formula with it and keeps its rows',
  async (names) => {
    const batch = await t.imported(csvOf(cpfs(names.length)), { organizationId: organization++ })
    await answerAll(t.sql, batch.id)
    await t.sql`
      update vigia.lookup l set registry_name = given.name
        from unnest(${names}::text[]) with ordinality as given (name, at)
        join vigia.batch_row r on r.batch_id = ${batch.id} and r.line = given.at + 1
       where l.id = r.lookup_id`
    const options = { folder: join(t.home.outbox, String(batch.id)), timezone: 'America/Sao_Paulo', now }

    const { report, workbook } = await exportBatch(t.sql, batch.id, { ...options, format: 'xlsx', language: 'en' })

    const [header, ...rows] = cellsOf(await readFile(report), ';', '\n') as [string[], ...string[][]]
    const cells = rows.map((row) => row[header.indexOf('registry_name')]!)
    expect(cells.map((cell) => cell.replace(/^'/, ''))).toEqual(names.map((name) => name.replace(/^'/, '')))
    for (const cell of cells) expect(cell).not.toMatch(/^[\s\p{Cc}]*([=+@＝＋－＠]|-(?![0-9]+([.,][0-9]+)?$))/u)
    const [head, ...sheet] = await rowsIn(await readFile(workbook!))
    const at = head!.cells.indexOf('Name at the registry')
    expect(sheet.map((row) => row.cells[at])).toEqual(names)
  },
)

test('the same snapshot gives the same bytes', async () => {
  const first = await exported(csvOf([...cpfs(500), 'x']))
  const folder = join(t.home.outbox, 'again')
  const second = await exportBatch(t.sql, first.batch.id, { folder, timezone: 'America/Sao_Paulo', now })

  expect(second.manifest).toEqual(first.manifest)
  expect(await readFile(second.report)).toEqual(await readFile(first.report))
  expect(await readFile(second.rejects)).toEqual(await readFile(first.rejects))
})

test('a partial report says so, and open rows read pending', async () => {
  const batch = await t.imported(csvOf(cpfs(4)), { organizationId: organization++ })
  await answerAll(t.sql, batch.id, { limit: 1 })
  const folder = join(t.home.outbox, 'partial')

  const { report, manifest } = await exportBatch(t.sql, batch.id, { folder, timezone: 'America/Sao_Paulo', now })

  expect(manifest).toMatchObject({ complete: false, states: { ok: 1, pending: 3 }, unanswered: 3 })
  const rows = cellsOf(await readFile(report), ';', '\n').slice(1)
  expect(rows.map(([, state]) => state)).toEqual(['ok', 'pending', 'pending', 'pending'])
})

test('a report that does not add up is not published', async () => {
  const batch = await t.imported(csvOf(cpfs(10)), { organizationId: organization++ })
  await t.sql`delete from vigia.batch_row where batch_id = ${batch.id} and line = 5`
  const folder = join(t.home.outbox, 'short')

  const exporting = exportBatch(t.sql, batch.id, { folder, timezone: 'America/Sao_Paulo', now })

  await expect(exporting).rejects.toThrow('10 rows (0 rejected), but 9 reported and 0 rejected')
  expect(await readdir(folder)).toEqual([])
})

test('a missing folder is created again', async () => {
  const { batch, folder } = await exported(csvOf(cpfs(2)))
  await rm(folder, { recursive: true })

  await exportBatch(t.sql, batch.id, { folder, timezone: 'America/Sao_Paulo', now })

  expect(await readdir(folder)).toHaveLength(3)
})

const dialect = fc.record({
  delimiter: fc.constantFrom<Delimiter>(...delimiters),
  newline: fc.constantFrom('\r\n', '\n'),
})
const people = fc.array(fc.oneof(fc.nat(20).map(cpf), fc.constantFrom('123', '1,2E+13', '"oops', ' ')), {
  minLength: 1,
  maxLength: 30,
})

check.prop([dialect, people, fc.nat(30)], runs(10))(
  'rows are always report and rejects together, and the counts add up to them',
  async ({ delimiter, newline }, documents, limit) => {
    const text =
      ['documento', 'n'].join(delimiter) + newline + documents.map((d, i) => `${d}${delimiter}${i}${newline}`).join('')
    const batch = await t.imported(text, { organizationId: organization++ })
    await answerAll(t.sql, batch.id, { limit })
    const folder = join(t.home.outbox, String(batch.id))

    const { manifest } = await exportBatch(t.sql, batch.id, { folder, timezone: 'America/Sao_Paulo', now })

    expect(batch.rows).toBe(documents.length)
    expect(Object.values(manifest.states).reduce((sum, rows) => sum + rows, 0)).toBe(batch.rows)
    expect(manifest.states.rejected ?? 0).toBe(batch.rejected)
  },
)
