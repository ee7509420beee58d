import type { z } from 'zod'
import { listParkedCalls, type ParkedCall } from '../../../batches/resolve.ts'
import { type Kind, spendingKinds } from '../../../domain/kind.ts'
import { parkedOperations } from '../../../operations/rows.ts'
import { countParked, countUnknownOutcomes } from '../../../store/lookups/lookups.ts'
import type { CandidateShown } from '../../../views/parked.ts'
import { type Html, html } from '../../../writing/html.ts'
import { queryOf, rowAddress } from '../../address.ts'
import { batchName, facts, ownNamesLine, pricedCount } from '../../parts/facts.ts'
import { buttonForm, hiddenCsrf } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'

/** Every parked purchase, of files and sweeps, with its three choices. */
export const addParkedPage = ({ page }: Pages): void => {
  page('analyst', '/parked', async (visit) => {
    const { labels, sql } = visit
    const parkedCalls = await listParkedCalls(sql, mostShown)
    const [unknownOutcomes, parked] = [await countUnknownOutcomes(sql), await countParked(sql)]
    const body = html`<h1>${labels.parked.title}</h1><p class="lead">${labels.parked.intro}</p>
      ${unknownOutcomes === 0 ? html`<p class="empty good">${labels.parked.empty}</p>` : standing(visit, unknownOutcomes, parked)}
      ${parkedCalls.map((parkedCall) => parkedRow(visit, parkedCall))}`
    return layout(visit, { title: labels.parked.title, section: 'parked', body })
  })
}

/** The same figure as on the batches and in the metrics, split by who has to act. */
const standing = ({ labels, format }: Visit, unknownOutcomes: number, parked: number): Html =>
  html`<section>${facts([
    [labels.parked.unknownOutcomes, html`<strong>${format.count(unknownOutcomes)}</strong>`],
    [labels.parked.forPerson, format.count(parked)],
    [labels.parked.beingJudged, format.count(Math.max(0, unknownOutcomes - parked))],
  ])}</section>`

const mostShown = 100

/** A row of a file links to its history; a purchase of a sweep has no row. */
const parkedRow = (visit: Visit, parked: ParkedCall): Html => {
  const { labels, format } = visit
  const { lookup, batch, line, kind, detail, sentAt, candidates } = parked
  const row = batch !== null && line !== null
  const title = row
    ? html`<a class="nowrap" href="${rowAddress({ id: batch, layout: parked.layout }, { line, part: parked.part ?? 0 })}">${labels.rows.historyOf(format.count(line))}</a>`
    : html`<span class="nowrap">${labels.parked.lookup(String(lookup))}</span>`
  const source = row
    ? html`<a href="/batches/${batch}">${batchName(visit, { name: parked.name ?? '' })}</a>`
    : html`${labels.parked.ofSweep}`
  return html`<article class="parked">
    <p class="eyebrow">${source}</p>
    <h2>${title} · <span class="document">${format.document(parked.document)}</span></h2>${ownNamesLine(parked.own)}
    <p>${detail && html`<span class="sentence">${format.message(detail)}</span>`} ${sentAt && html`<small>${labels.rows.sent} ${format.moment(sentAt)}</small>`}</p>
    ${choices(visit, { action: `/parked/${lookup}/resolve`, kind, candidates })}</article>`
}

/** A person's decision about a parked purchase. */
export const addResolve = ({ operationForm }: Pages): void => {
  const { resolveRow, resolveLookup } = parkedOperations
  const toRow = ({ row: { batch, line, column } }: z.output<typeof resolveRow.output>) =>
    `/batches/${batch}/rows/${line}${queryOf({ column: column ?? undefined, notice: 'resolved' })}`
  operationForm(resolveRow, '/batches/:batch/rows/:line/resolve', toRow, decisionIn)
  operationForm(resolveLookup, '/parked/:lookup/resolve', () => '/parked?notice=resolved', decisionIn)
}

const decisionIn = ({ choice = '', remote }: Record<string, string>) =>
  choice === 'adopt' ? { adopt: remote } : { [choice]: true }

type ResolveTarget = { action: string; kind: Kind; candidates: CandidateShown[] }

/** The three choices with their costs, for administrators only. Everyone sees the candidates. */
export const choices = (visit: Visit, parkedCall: ResolveTarget): Html => {
  const { labels } = visit
  if (!visit.may('admin')) {
    return html`${candidateList(visit, parkedCall, false)}<p class="notice warn">${labels.parked.adminOnly}</p>`
  }
  const { kind } = parkedCall
  const paid = spendingKinds.includes(kind)
  const cost = paid ? labels.parked.resendHint : labels.parked.resendFree
  return html`${candidateList(visit, parkedCall, true)}<div class="choices">
    ${form(
      visit,
      parkedCall,
      'adopt',
      html`<strong>${labels.parked.adopt}</strong><small>${labels.parked.adoptHint}</small>${costLine(visit, kind, 0)}
      <label class="field"><span>${labels.rows.remote}</span><input name="remote" required maxlength="64" pattern="[\\w\\-]+" autocomplete="off"></label>
      <button>${labels.parked.adoptSubmit}</button>`,
    )}
    ${form(visit, parkedCall, 'resend', html`<strong>${labels.parked.resend}</strong><small>${cost}</small>${costLine(visit, kind, paid ? 1 : 0)}<button>${labels.parked.resendSubmit}</button>`, cost)}
    ${form(visit, parkedCall, 'drop', html`<strong>${labels.parked.drop}</strong><small>${labels.parked.dropHint}</small>${costLine(visit, kind, 0)}<button class="danger">${labels.parked.dropSubmit}</button>`)}
  </div>`
}

const form = (visit: Visit, { action: to }: ResolveTarget, choice: string, inside: Html, ask?: string): Html =>
  html`<form method="post" action="${to}" class="choice"${ask && html` data-ask="${ask}"`}>
    ${hiddenCsrf(visit)}<input type="hidden" name="choice" value="${choice}">${inside}</form>`

/** What a choice costs on top of the units reserved by the lost call. */
const costLine = (visit: Visit, kind: Kind, units: number): Html =>
  html`<small><strong>${units === 0 ? visit.labels.parked.costsNothing : visit.labels.parked.costs(pricedCount(visit, kind, units))}</strong></small>`

/** The purchases of the document in the registry's list; one of them may be the one whose answer was lost. */
const candidateList = (visit: Visit, parkedCall: ResolveTarget, mayChoose: boolean): Html => {
  const { labels } = visit
  if (parkedCall.candidates.length === 0) return html`<p class="quiet-text">${labels.parked.noCandidates}</p>`
  return html`<div class="table-scroll"><table class="cards"><caption class="caption">${labels.parked.candidates}</caption><thead><tr><th scope="col">${labels.rows.remote}</th><th scope="col">${labels.person.dated}</th><th scope="col">${labels.person.status}</th><th scope="col">${labels.person.owner}</th>${mayChoose && html`<th scope="col"><span class="visually-hidden">${labels.parked.adoptSubmit}</span></th>`}</tr></thead>
    <tbody>${parkedCall.candidates.map((each) => candidateRow(visit, parkedCall, each, mayChoose))}</tbody></table></div>`
}

const candidateRow = (
  visit: Visit,
  parkedCall: ResolveTarget,
  { id, dated, status, deleted, owner }: CandidateShown,
  mayChoose: boolean,
): Html => {
  const { labels, format } = visit
  const free = owner === null && !deleted
  const fields = { choice: 'adopt', remote: id }
  return html`<tr><th scope="row"><code>${format.text(id)}</code></th>
    <td data-label="${labels.person.dated}">${dated ? format.text(dated) : '–'}</td>
    <td data-label="${labels.person.status}">${deleted ? labels.person.deleted : status ? format.text(status) : '–'}</td>
    <td data-label="${labels.person.owner}">${owner === null ? labels.person.nobody : labels.parked.lookup(String(owner))}</td>
    ${mayChoose && html`<td>${free && buttonForm(visit, { action: parkedCall.action, label: labels.parked.adoptThis, look: 'primary', fields })}</td>`}</tr>`
}
