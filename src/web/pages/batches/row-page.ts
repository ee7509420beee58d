import { batchOrRefuse } from '../../../batches/batch-or-refuse.ts'
import { readRowRecord } from '../../../batches/own-rows.ts'
import { repairOf } from '../../../messages/labels.ts'
import { term } from '../../../messages/term.ts'
import { notFound } from '../../../operations/operation.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import { recordAudit } from '../../../store/people/audit.ts'
import { hasSpreadsheet } from '../../../views/answer.ts'
import { shownQuestion } from '../../../views/fields.ts'
import { readCandidates } from '../../../views/parked.ts'
import { type LookupHistory, type RowRecord, readHistoryLine } from '../../../views/row.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { idIn, lineIn, queryText, rowAddress } from '../../address.ts'
import { answerPanel } from '../../parts/answer-panel.ts'
import { batchName, facts } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { outcomeBadge, verdictLine } from '../../parts/outcomes.ts'
import type { Pages, Visit } from '../../visit.ts'
import { choices } from './parked-page.ts'

/** One row: the registry's answer, the cells of the file, and its history. Unmasking it is for administrators, and audited. */
export const addRowPage = ({ page, action }: Pages): void => {
  const address = '/batches/:batch/rows/:line'
  page('analyst', address, (visit) => rowPage(visit, false))
  action('admin', `${address}/reveal`, async (visit) => {
    const { params } = visit.request
    const subject = `batch ${idIn(params, 'batch')} line ${lineIn(params)}`
    await recordAudit(visit.sql, visit.visitor.name, 'reveal', subject)
    return rowPage(visit, true)
  })
}

const rowPage = async (visit: Visit, revealed: boolean): Promise<Html> => {
  const { request, labels, format, sql } = visit
  const batch = await batchOrRefuse(sql, idIn(request.params, 'batch'))
  const column = queryText(request.query, 'column')
  const record = await readRowRecord(sql, batch, { line: lineIn(request.params), column }, revealed)
  if (!record) throw notFound('row')
  const { row, own, lookup, state, columns } = record
  const title = labels.rows.historyOf(format.count(row.line))
  const parked = state === 'unknown_outcome'
  const candidates = (parked && lookup && (await readCandidates(sql, [lookup.id])).get(lookup.id)) || []
  const body = html`
    <p class="eyebrow"><a href="/batches/${batch.id}">${batchName(visit, batch)}</a> · ${labels.terms.kinds[batch.kind]}</p>
    <div class="title-line"><h1>${title}</h1>${outcomeBadge(labels, state ?? 'pending')}</div>
    ${columns.length > 0 && documentLinks(visit, batch, row, columns)}
    ${whoLine(visit, batch, record, revealed)}
    ${row.isShown && lookup && record.answer && verdictLine(visit, record.answer, lookup.kind)}
    ${row.rejectReason && html`<p class="notice warn"><strong>${term(labels.terms.rejectReasons, row.rejectReason)}</strong> ${row.message && html`<small>${format.message(row.message)}</small>`}</p>`}
    ${parked && html`<section><h2>${labels.parked.settle}</h2>${choices(visit, { action: rowAddress(batch, row, '/resolve'), kind: batch.kind, candidates })}</section>`}
    ${lookup && html`<section aria-labelledby="answer-title"><h2 id="answer-title">${labels.answer.title}</h2>${answerPart(visit, batch, record, revealed)}</section>`}
    ${own && html`<section aria-labelledby="own-title"><h2 id="own-title">${labels.answer.ownFile}</h2>${facts(own.cells.map(({ column, text }, at) => [column ?? labels.answer.ownColumn(String(at + 1)), text.slice(0, 500)]))}</section>`}
    ${lookup && html`<section aria-labelledby="history-title"><h2 id="history-title">${labels.radars.history}</h2>${historyFacts(visit, batch, record, lookup)}${row.isShown && trace(visit, lookup)}</section>`}`
  return layout(visit, { title, section: 'batches', body })
}

/** Each document of the row has a page. */
const documentLinks = (visit: Visit, batch: Batch, { line, part }: RowRecord['row'], columns: string[]): Html =>
  html`<nav class="filter" aria-label="${visit.labels.risk.documents}">${columns.map(
    (column, i) =>
      html`<a href="${rowAddress(batch, { line, part: i })}"${i === part && html` aria-current="page"`}>${column}</a>`,
  )}</nav>`

/** The document and the name in the file; an administrator may unmask both. */
const whoLine = (visit: Visit, batch: Batch, { row, own, lookup }: RowRecord, revealed: boolean): Html => {
  const { labels } = visit
  const show =
    !revealed &&
    visit.may('admin') &&
    html`<div class="actions">${buttonForm(visit, { action: rowAddress(batch, row, '/reveal'), label: labels.rows.reveal, look: 'quiet' })}<small>${labels.rows.revealHint}</small></div>`
  return html`<div class="who-line">${lookup && html`<span class="document">${shownQuestion(lookup.question, lookup.kind, revealed)}</span>`}
    ${own?.name && html`<strong>${own.name}</strong>`}${own?.ref && html`<code>${own.ref}</code>`}${show}</div>`
}

const answerPart = (
  visit: Visit,
  batch: Batch,
  { row, lookup, answer, state, name }: RowRecord,
  revealed: boolean,
): Part => {
  const { labels, format } = visit
  const { kind, seen, asOf, finished, estimated } = lookup!
  if (!row.isShown) return html`<p class="empty">${labels.answer.left}</p>`
  if (!answer) {
    const why =
      state === 'not_found' ? labels.answer.notFound : state === 'ok' ? labels.answer.gone : labels.answer.noneEnded
    const expected = !finished && estimated !== null && labels.answer.expected(format.count(estimated))
    return html`<p class="empty">${finished ? why : labels.answer.none} ${expected}</p>`
  }
  const compared = name && labels.terms.nameMatches[name.match]
  return html`${asOf && html`<p class="caption">${labels.rows.asOf} ${format.moment(asOf)}</p>`}
    ${name && html`<p class="${name.match === 'different' ? 'notice warn' : 'caption'}">${labels.rows.nameIs(compared!)} <small>${labels.terms.nameRules[name.rule]}</small></p>`}
    ${answerPanel(visit, answer, { kind, seen, revealed })}
    ${hasSpreadsheet(answer) && html`<p class="actions"><a class="button" href="${rowAddress(batch, row, '/spreadsheet')}" download>${labels.answer.spreadsheet}</a></p>`}`
}

const historyFacts = (visit: Visit, batch: Batch, { row }: RowRecord, lookup: LookupHistory): Html => {
  const { labels, format } = visit
  const shared = row.isShown && row.askedBy !== null && row.askedBy !== batch.id
  return html`${facts([
    [labels.answer.result, row.repair && repairOf(labels, row.repair)],
    [labels.rows.detail, row.message && html`<span class="sentence wide">${format.message(row.message)}</span>`],
    [labels.rows.charged, labels.terms.charged[row.charged]],
    ...(row.isShown ? lookupFacts(visit, lookup) : []),
  ])}
  ${shared && html`<p>${labels.rows.sharedWith(String(row.askedBy))}</p>`}`
}

const lookupFacts = ({ labels, format }: Visit, lookup: LookupHistory): [string, Part][] => {
  const moment = (value: Date | null) => value && format.moment(value)
  const hasUnknownOutcome = ['sending', 'unknown_outcome'].includes(lookup.state)
  return [
    [labels.rows.remote, lookup.remoteId && html`<code>${format.text(lookup.remoteId)}</code>`],
    [labels.rows.seen, lookup.seen && html`<code>${format.text(lookup.seen)}</code>`],
    [labels.rows.asked, moment(lookup.asked)],
    [labels.rows.sent, moment(lookup.sent)],
    [labels.rows.due, moment(lookup.due)],
    [labels.rows.deadline, lookup.finished ? null : moment(lookup.deadline)],
    [labels.rows.finished, moment(lookup.finished)],
    [labels.rows.attempts, lookup.attempts > 0 && format.count(lookup.attempts)],
    [labels.rows.polls, lookup.polls > 0 && !hasUnknownOutcome && format.count(lookup.polls)],
  ]
}

const trace = ({ labels, format }: Visit, { trace: lines }: LookupHistory): Html =>
  lines.length === 0
    ? html`<p class="empty">${labels.rows.noHistory}</p>`
    : html`<ol class="story">${lines.map((line) => {
        const { at, what } = readHistoryLine(line)
        return html`<li>${at && html`<time datetime="${at}">${format.instant(at)}</time>`} <span class="sentence">${format.message(what)}</span></li>`
      })}</ol>`
