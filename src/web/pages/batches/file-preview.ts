import { layoutOf, type ReadRow, rowReader } from '../../../batches/layout.ts'
import { readStoredFile } from '../../../batches/stored-file.ts'
import { rememberedColumns } from '../../../batches/submit.ts'
import { maskCell, maskDocuments, maskName } from '../../../domain/mask-documents.ts'
import { type Columns, documentPlaces, rolesByPlace } from '../../../files/columns/find-columns.ts'
import { headersKey, headersOf } from '../../../files/columns/read-options.ts'
import type { ColumnRole } from '../../../files/columns/roles.ts'
import type { Dialect } from '../../../files/csv/dialect.ts'
import { openCsv } from '../../../files/csv/read.ts'
import type { CsvRecord } from '../../../files/csv/record-parser.ts'
import { repairOf } from '../../../messages/labels.ts'
import { term } from '../../../messages/term.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { facts } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import type { Visit } from '../../visit.ts'

const shownRows = 20
const shownColumns = 12

/** How the file was read: its dialect, and its first rows with the result of each. */
export const filePreview = async (visit: Visit, batch: Batch): Promise<Html> => {
  const { labels, sql } = visit
  const { dialect, columns, sheet, unread, unasked } = layoutOf(batch)
  const csv = await openCsv(readStoredFile(sql, batch.fileId!), dialect, { batchSize: shownRows })
  const records: CsvRecord[] = []
  for await (const some of csv.records) {
    records.push(...some)
    if (records.length >= shownRows) break
  }
  await csv.close()
  const header =
    csv.header?.cells ?? [...Array(columns.width).keys()].map((at) => labels.batch.dialect.column(String(at + 1)))
  const documents = documentPlaces(columns)
  const names = header
    .slice(0, shownColumns)
    .map((name, at) => (documents.includes(at) ? maskCell(name) : maskDocuments(name)))
  const chosen = csv.header ? await chosenColumns(visit, batch, csv.header.cells) : new Set<string>()
  const roles = rolesByPlace(columns)
  return html`<section aria-labelledby="preview-title"><h2 id="preview-title">${labels.batch.previewTitle}</h2>
    ${unread && html`<div class="notice warn"><p>${labels.picker.unread(visit.format.text(unread.join(', ')))}</p></div>`}
    ${unasked && html`<div class="notice warn"><p>${labels.picker.unasked(visit.format.text(unasked.join(', ')))}</p></div>`}
    ${dialectFacts(visit, { dialect, sheet, asked: askedColumns(columns, names) })}
    ${visit.may('ops') && buttonForm(visit, { action: `/batches/${batch.id}/read-again`, label: labels.picker.again, look: 'quiet' })}
    <h3>${labels.batch.preview}</h3>
    <div class="table-scroll" tabindex="0" role="region" aria-label="${labels.batch.preview}"><table>
      <thead><tr><th scope="col" class="number">${labels.rows.line}</th><th scope="col">${labels.answer.result}</th>${names.map((name, at) => html`<th scope="col">${name}${columnBadge(visit, roles.get(at), chosen.has(header[at]?.trim() ?? ''))}</th>`)}</tr></thead>
      <tbody>${records.slice(0, shownRows).map((record) => previewRow(visit, batch, record, names.length))}</tbody>
    </table></div></section>`
}

/** The headers that a person chose. */
const chosenColumns = async ({ sql }: Visit, batch: Batch, header: readonly string[]): Promise<Set<string>> => {
  const remembered = await rememberedColumns(sql, Number(batch.organizationId))
  const { columns = {} } = remembered.find(({ key }) => key === headersKey(header)) ?? {}
  return new Set(Object.values(columns).flatMap(headersOf))
}

const columnBadge = ({ labels }: Visit, role: ColumnRole | undefined, isChosen: boolean): Part =>
  role &&
  html`<small class="role">${labels.terms.columnRoles[role]}${isChosen && html` · <span class="chosen" title="${labels.picker.chosenHint}">${labels.picker.chosenBefore}</span>`}</small>`

/** Operations see full names, to check that the file was read correctly; an analyst sees them masked. */
const previewRow = (visit: Visit, batch: Batch, record: CsvRecord, width: number): Html => {
  const { labels, format } = visit
  const { columns } = layoutOf(batch)
  const rules = { needsAuthorization: visit.settings.scr.requireAuthorization }
  const documents = documentPlaces(columns)
  const cells = [...Array(width).keys()].map((at) => (record.cells[at] ?? '').slice(0, 200))
  const verdict = (row: ReadRow): Part => {
    if ('rejected' in row)
      return html`<span class="badge outcome outcome-rejected">${term(labels.terms.rejectReasons, row.rejected)}</span> `
    return row.repair ? repairOf(labels, row.repair) : labels.batch.readable
  }
  const verdicts = rowReader(columns, batch.kind, rules)(record).map((row, i) => html`${i > 0 && ' · '}${verdict(row)}`)
  return html`<tr><td class="number">${format.count(record.line)}</td><td>${verdicts}</td>
    ${cells.map((cell, at) =>
      documents.includes(at)
        ? html`<td class="document">${maskCell(cell)}</td>`
        : html`<td>${at === columns.name && !visit.may('ops') ? maskName(format.text(cell)) : format.text(cell)}</td>`,
    )}</tr>`
}

const askedColumns = (columns: Columns, names: string[]): string => {
  const documents = documentPlaces(columns)
  return (documents.length > 0 ? documents : [columns.process ?? 0]).map((at) => names[at] ?? '').join(', ')
}

type Understood = { dialect: Dialect; sheet: string | undefined; asked: string }

const dialectFacts = ({ labels, format }: Visit, { dialect, sheet, asked }: Understood): Html => {
  const { dialect: names } = labels.batch
  if (sheet !== undefined)
    return facts([
      [labels.picker.sheet, format.text(sheet)],
      [names.document, asked],
    ])
  return facts([
    [names.encoding, `${dialect.encoding.toUpperCase()}${dialect.bom ? ` ${names.bom}` : ''}`],
    [names.delimiter, dialect.delimiter === '\t' ? names.tab : html`<code>${dialect.delimiter}</code>`],
    [names.newline, newlines[dialect.newline]],
    [names.header, dialect.header ? labels.shell.yes : labels.shell.no],
    [names.document, asked],
    [names.decimal, html`<code>${dialect.decimal}</code>`],
  ])
}

const newlines = { '\r\n': 'CRLF (Windows)', '\n': 'LF (Unix)', '\r': 'CR (Mac)' }
