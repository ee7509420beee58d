import { batchOrRefuse } from '../../../batches/batch-or-refuse.ts'
import { layoutOf } from '../../../batches/layout.ts'
import { collectRows, keepNames, pageSize, type RowPage, readOwnRows } from '../../../batches/own-rows.ts'
import { comparesNames } from '../../../batches/result-columns.ts'
import { nameMatches } from '../../../domain/name-match.ts'
import { nameColumn } from '../../../files/columns/find-columns.ts'
import { term } from '../../../messages/term.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import { shownQuestion } from '../../../views/fields.ts'
import { columnOfPart, type OwnRow } from '../../../views/own-row.ts'
import { countRejects, type RowLine } from '../../../views/row.ts'
import { type Html, html } from '../../../writing/html.ts'
import { idIn, queryNumber, queryOf, queryText, rowAddress } from '../../address.ts'
import { resultCell } from '../../parts/answer-panel.ts'
import { ownNamesLine } from '../../parts/facts.ts'
import { hiddenCsrf } from '../../parts/form.ts'
import { outcomeBadge } from '../../parts/outcomes.ts'
import type { Pages, Visit } from '../../visit.ts'

/** The fragments of the batch page: more rows, and rejects by reason. */
export const addRowPieces = ({ page }: Pages): void => {
  page('analyst', '/batches/:batch/rows', async (visit) => {
    const batch = await batchOrRefuse(visit.sql, idIn(visit.request.params, 'batch'))
    return linesPiece(visit, batch)
  })
  page('analyst', '/batches/:batch/rejects', async (visit) => {
    const id = idIn(visit.request.params, 'batch')
    const reasons = await countRejects(visit.sql, id)
    const { labels, format } = visit
    return html`<section aria-labelledby="rejects-title"><h2 id="rejects-title">${labels.batch.rejectsTitle}</h2>
      <ul class="reasons">${reasons.map(
        ({ reason, rows }) =>
          html`<li><a href="/batches/${id}?outcome=rejected&amp;reason=${reason}#rows">${term(labels.terms.rejectReasons, reason)}</a> <strong>${format.count(rows)}</strong></li>`,
      )}</ul>${rescue(visit, reasons)}</section>`
  })
}

/** Choosing CPF or CNPJ for the file fixes the ambiguous rows. */
const rescue = ({ labels, format }: Visit, reasons: readonly { reason: string; rows: number }[]): Html | null => {
  const ambiguous = reasons.find(({ reason }) => reason === 'ambiguous')
  return ambiguous ? html`<p>${labels.picker.rescued(format.count(ambiguous.rows))}</p>` : null
}

export const rowFilterOf = ({ request }: Visit) => ({
  outcome: queryText(request.query, 'outcome', 30),
  reason: queryText(request.query, 'reason', 30),
  name: nameMatches.find((match) => match === queryText(request.query, 'name', 30)),
})

/** The rows of a batch, a page at a time, with a way to find one document. */
export const rowsSection = async (visit: Visit, batch: Batch): Promise<Html> => {
  const { labels } = visit
  const { outcome, reason, name } = rowFilterOf(visit)
  const chosen = name
    ? labels.rows.nameIs(labels.terms.nameMatches[name])
    : reason
      ? term(labels.terms.rejectReasons, reason)
      : outcome && term(labels.terms.outcomes, outcome)
  return html`<section id="rows" aria-labelledby="rows-title">
    <div class="section-head"><h2 id="rows-title">${labels.batches.rows}${chosen && html`: ${chosen}`}</h2>
      ${chosen && html`<a href="/batches/${batch.id}#rows">${labels.shell.all}</a>`}
      ${nameLinks(visit, batch)}
      <form class="filter" method="post" action="/batches/${batch.id}/find">${hiddenCsrf(visit)}
        <label class="field"><span>${labels.rows.find}</span><input name="document" inputmode="text" autocomplete="off" maxlength="30" placeholder="${labels.terms.columnRoles.documento}" required></label>
        <button>${labels.shell.search}</button></form></div>
    <div class="table-scroll"><table class="cards rows">
      <thead><tr><th scope="col" class="number">${labels.rows.line}</th><th scope="col">${labels.rows.document}</th><th scope="col">${labels.rows.outcome}</th>
        <th scope="col">${labels.answer.result}</th><th scope="col">${labels.rows.charged}</th><th scope="col">${labels.rows.asOf}</th></tr></thead>
      <tbody id="row-lines" data-rows="/batches/${batch.id}/rows${queryOf(rowFilterOf(visit))}">${await linesPiece(visit, batch)}</tbody></table></div>
  </section>`
}

/** For a file with names: the rows by how their name compares with the registry's. */
const nameLinks = ({ labels }: Visit, batch: Batch): Html | null => {
  const { columns } = layoutOf(batch) ?? {}
  if (!comparesNames(batch.kind) || !columns || nameColumn(columns) === undefined) return null
  return html`<span class="name-filter">${labels.rows.byName} ${nameMatches.map(
    (match) => html`<a href="/batches/${batch.id}?name=${match}#rows">${labels.terms.nameMatches[match]}</a> `,
  )}</span>`
}

const readPage = (visit: Visit, batch: Batch): Promise<RowPage> => {
  const from = queryNumber(visit.request.query, 'after', 2_147_483_647)
  const { name, ...filter } = rowFilterOf(visit)
  const keep = name && keepNames(visit.sql, batch, name)
  return collectRows(visit.sql, batch.id, filter, from, { size: sizeOf(visit), keep })
}

const mostRows = 1_000

/** A table that is read again keeps as many lines as it had. */
const sizeOf = ({ request }: Visit): number => Math.max(pageSize, queryNumber(request.query, 'shown', mostRows))

/** Lines of the table with what the file says about each. */
const linesPiece = async (visit: Visit, batch: Batch): Promise<Html> => {
  const found = await readPage(visit, batch)
  return rowLines(visit, batch, found, await readOwnRows(visit.sql, batch, found.rows))
}

type OwnRows = Awaited<ReturnType<typeof readOwnRows>>

/** The button after the last line, which is replaced by the next lines. */
const rowLines = (visit: Visit, batch: Batch, { rows, next, searchedTo }: RowPage, own: OwnRows): Html => {
  const { labels, format } = visit
  const more = next !== null && `/batches/${batch.id}/rows${queryOf({ ...rowFilterOf(visit), after: next })}`
  return html`${rows.map((row) => rowLine(visit, batch, row, own.get(row.line)))}
    ${rows.length === 0 && next === null && html`<tr><td colspan="6" class="empty">${labels.rows.empty}</td></tr>`}
    ${
      more &&
      html`<tr id="more-rows" class="more"><td colspan="6">${searchedTo !== null && html`<small>${labels.rows.searchedTo(format.count(searchedTo))}</small>`}
      <button hx-get="${more}" hx-target="closest tr" hx-swap="outerHTML">${searchedTo === null ? labels.shell.more : labels.rows.continueSearch}</button></td></tr>`
    }`
}

const rowLine = (visit: Visit, batch: Batch, row: RowLine, own: OwnRow | undefined): Html => {
  const { labels, format } = visit
  const reason = row.rejectReason && term(labels.terms.rejectReasons, row.rejectReason)
  const result = resultCell(visit, row.answer, row)
  const column = columnOfPart(batch, row.part)
  return html`<tr id="line-${row.line}${column && `-${row.part}`}"><th scope="row" class="number"><a href="${rowAddress(batch, row)}">${format.count(row.line)}</a></th>
    <td data-label="${labels.rows.document}" class="document">${column && html`<small>${column}</small> `}${row.question && row.kind ? shownQuestion(row.question, row.kind) : '–'}${ownNamesLine(own)}</td>
    <td data-label="${labels.rows.outcome}">${outcomeBadge(labels, row.outcome)}</td>
    <td data-label="${labels.answer.result}" class="detail">${result ?? reason ?? (row.message && format.message(row.message))}</td>
    <td data-label="${labels.rows.charged}" class="optional">${labels.terms.charged[row.charged]}</td>
    <td data-label="${labels.rows.asOf}" class="optional nowrap">${row.asOf && format.moment(row.asOf)}</td></tr>`
}
