import { rememberedColumns } from '../../../batches/column-choices.ts'
import { layoutOf, readRow } from '../../../batches/layout.ts'
import { readStoredFile } from '../../../batches/stored-file.ts'
import { maskCell } from '../../../domain/mask-cell.ts'
import { maskName } from '../../../domain/mask-name.ts'
import { term } from '../../../domain/terms/term.ts'
import { type Columns, namedColumns } from '../../../files/columns/find-columns.ts'
import { headersKey } from '../../../files/columns/reading-choice.ts'
import type { ColumnRole } from '../../../files/columns/roles.ts'
import type { Dialect } from '../../../files/csv/dialect.ts'
import { openCsv } from '../../../files/csv/read.ts'
import type { CsvRecord } from '../../../files/csv/record-parser.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { facts } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import type { Visit } from '../../visit.ts'
import { repairOf } from '../../words/choose-words.ts'

const shownRows = 20
const shownColumns = 12

/** How the file was understood: its dialect, and its first rows with what each was read as. */
export const filePreview = async (visit: Visit, batch: Batch): Promise<Html> => {
  const { words, site } = visit
  const { dialect, columns, sheet } = layoutOf(batch)
  const csv = await openCsv(readStoredFile(site.engine.sql, batch.fileId!), dialect, { batchSize: shownRows })
  const records: CsvRecord[] = []
  for await (const some of csv.records) {
    records.push(...some)
    if (records.length >= shownRows) break
  }
  await csv.close()
  const names = (
    csv.header?.cells ?? [...Array(columns.width).keys()].map((at) => words.batch.dialect.column(String(at + 1)))
  ).slice(0, shownColumns)
  const read = csv.header ? await columnsRead(visit, batch, csv.header.cells) : nothingRead
  return html`<section aria-labelledby="preview-title"><h2 id="preview-title">${words.batch.previewTitle}</h2>
    ${dialectFacts(visit, { dialect, sheet, asked: askedColumns(columns, names) })}
    ${visit.may('ops') && buttonForm(visit, { action: `/batches/${batch.id}/read-again`, label: words.picker.again, look: 'quiet' })}
    <h3>${words.batch.preview}</h3>
    <div class="table-scroll" tabindex="0" role="region" aria-label="${words.batch.preview}"><table>
      <thead><tr><th scope="col" class="number">${words.batch.line}</th><th scope="col">${words.batch.verdict}</th>${names.map((name) => html`<th scope="col">${name}${columnMark(visit, name, read)}</th>`)}</tr></thead>
      <tbody>${records.slice(0, shownRows).map((record) => previewRow(visit, batch, record, names.length))}</tbody>
    </table></div></section>`
}

const nothingRead: ColumnsRead = { roles: new Map(), chosen: new Set() }

type ColumnsRead = { roles: Map<string, ColumnRole>; chosen: Set<string> }

/** What each column was read as, and which of them somebody had pointed at. */
const columnsRead = async ({ site }: Visit, batch: Batch, header: readonly string[]): Promise<ColumnsRead> => {
  const named = Object.entries(namedColumns(layoutOf(batch).columns, header)) as [ColumnRole, string][]
  const remembered = await rememberedColumns(site.engine.sql, Number(batch.organizationId))
  const { columns = {} } = remembered.find(({ key }) => key === headersKey(header)) ?? {}
  return { roles: new Map(named.map(([role, name]) => [name, role])), chosen: new Set(Object.values(columns)) }
}

const columnMark = ({ words }: Visit, name: string, { roles, chosen }: ColumnsRead): Part => {
  const role = roles.get(name)
  return (
    role &&
    html`<small class="role">${words.terms.columnRoles[role]}${chosen.has(name.trim()) && html` · <span class="chosen" title="${words.picker.chosenHint}">${words.picker.chosenBefore}</span>`}</small>`
  )
}

/** Whoever hands files in sees names whole, to tell whether they were read right; an analyst sees them masked. */
const previewRow = (visit: Visit, batch: Batch, record: CsvRecord, width: number): Html => {
  const { words, format } = visit
  const { columns } = layoutOf(batch)
  const row = readRow(record, columns, batch.kind)
  const cells = [...Array(width).keys()].map((at) => (record.cells[at] ?? '').slice(0, 200))
  const verdict =
    'rejected' in row
      ? html`<span class="badge outcome outcome-rejected">${term(words.terms.rejectReasons, row.rejected)}</span>`
      : row.repair
        ? repairOf(words, row.repair)
        : words.batch.readable
  return html`<tr><td class="number">${format.count(record.line)}</td><td>${verdict}</td>
    ${cells.map((cell, at) =>
      at === columns.document || at === columns.company
        ? html`<td class="document">${maskCell(cell)}</td>`
        : html`<td>${at === columns.name && !visit.may('ops') ? maskName(format.text(cell)) : format.text(cell)}</td>`,
    )}</tr>`
}

const askedColumns = ({ document, company, process }: Columns, names: string[]): string =>
  [document ?? process ?? 0, company].flatMap((at) => (at === undefined ? [] : [names[at] ?? ''])).join(', ')

type Understood = { dialect: Dialect; sheet: string | undefined; asked: string }

const dialectFacts = ({ words, format }: Visit, { dialect, sheet, asked }: Understood): Html => {
  const { dialect: names } = words.batch
  if (sheet !== undefined)
    return facts([
      [words.picker.sheet, format.text(sheet)],
      [names.document, asked],
    ])
  return facts([
    [names.encoding, `${dialect.encoding.toUpperCase()}${dialect.bom ? ` ${names.bom}` : ''}`],
    [names.delimiter, dialect.delimiter === '\t' ? names.tab : html`<code>${dialect.delimiter}</code>`],
    [names.newline, newlines[dialect.newline]],
    [names.header, dialect.header ? words.shell.yes : words.shell.no],
    [names.document, asked],
    [names.decimal, html`<code>${dialect.decimal}</code>`],
  ])
}

const newlines = { '\r\n': 'CRLF (Windows)', '\n': 'LF (Unix)', '\r': 'CR (Mac)' }
