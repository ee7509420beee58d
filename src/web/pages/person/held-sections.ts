import { maskName } from '../../../domain/mask-documents.ts'
import { formatPurpose } from '../../../domain/purpose.ts'
import { term } from '../../../messages/term.ts'
import { toPairs } from '../../../views/answer.ts'
import type { PersonRecord } from '../../../views/person-record.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { rowAddress, sealAddress } from '../../address.ts'
import { pairFacts } from '../../parts/answer-panel.ts'
import { facts, priceText } from '../../parts/facts.ts'
import { outcomeBadge } from '../../parts/outcomes.ts'
import type { Visit } from '../../visit.ts'
import { changeTable } from '../radars/change-table.ts'

/** The radars of the person, each with a link to its history, and the changes. */
export const watchSection = (visit: Visit, { radars, changes }: PersonRecord): Html => {
  const { labels, format, site } = visit
  return html`<section aria-labelledby="watch-title"><h2 id="watch-title">${labels.person.radars}</h2>
    ${radars.length === 0 && html`<p class="empty">${labels.person.noRadars}</p>`}
    <ul class="plain-list">${radars.map(
      (
        radar,
      ) => html`<li><a href="/radars/${sealAddress(site.secret, radar)}">${radar.name ? format.text(radar.name) : format.document(radar.document)}</a>
        <small>${String(radar.organizationId)} · ${radar.removedAt ? labels.radars.removed : radar.active ? labels.radars.active : labels.radars.inactive}${radar.addedAt && html` · ${labels.radars.added} ${format.moment(radar.addedAt)}`}</small></li>`,
    )}</ul>
    ${changes.length > 0 && changeTable(visit, changes.slice(0, 200))}</section>`
}

/** The portfolios that contain the document. */
export const portfoliosSection = ({ labels, format }: Visit, { portfolios }: PersonRecord): Html | null => {
  if (portfolios.length === 0) return null
  return html`<section aria-labelledby="lists-title"><h2 id="lists-title">${labels.person.portfolios}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.portfolios.name}</th><th scope="col">${labels.portfolios.kind}</th><th scope="col">${labels.person.since}</th><th scope="col">${labels.person.left}</th></tr></thead>
    <tbody>${portfolios.map(
      (
        each,
      ) => html`<tr><th scope="row"><a href="/portfolios/${encodeURIComponent(each.portfolio)}">${each.portfolio}</a> <small>${String(each.organizationId)}</small>${each.purpose && html`<br><small>${labels.purposes.purpose}: ${formatPurpose(labels.terms.legalBases, each.purpose)}</small>`}${each.authorization && html`<br><small>${labels.terms.columnRoles.autorizacao}: ${format.text(each.authorization)}</small>`}</th>
        <td data-label="${labels.portfolios.kind}">${labels.terms.kinds[each.kind]}</td>
        <td data-label="${labels.person.since}">${format.moment(each.addedAt)}</td>
        <td data-label="${labels.person.left}">${each.removedAt ? format.moment(each.removedAt) : '–'}</td></tr>`,
    )}</tbody></table></div></section>`
}

/** The lines of files that contain the document. */
export const linesSection = ({ labels, format }: Visit, { rows }: PersonRecord): Html | null => {
  if (rows.length === 0) return null
  return html`<section aria-labelledby="lines-title"><h2 id="lines-title">${labels.person.lines}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.batches.name}</th><th scope="col" class="number">${labels.rows.line}</th><th scope="col">${labels.rows.outcome}</th><th scope="col">${labels.batches.submitted}</th></tr></thead>
    <tbody>${rows.slice(0, 500).map(
      (
        row,
      ) => html`<tr><th scope="row"><a href="/batches/${row.batchId}">${format.text(row.name)}</a> <small>${String(row.batchId)} · ${labels.terms.kinds[row.kind]}</small>${row.purpose && html`<br><small>${labels.purposes.purpose}: ${formatPurpose(labels.terms.legalBases, row.purpose)}</small>`}${row.authorization && html`<br><small>${labels.terms.columnRoles.autorizacao}: ${format.text(row.authorization)}</small>`}</th>
        <td data-label="${labels.rows.line}" class="number"><a href="${rowAddress({ id: row.batchId, layout: row.layout }, row)}">${format.count(row.line)}</a></td>
        <td data-label="${labels.rows.outcome}">${outcomeBadge(labels, row.outcome)}</td>
        <td data-label="${labels.batches.submitted}">${format.moment(row.submittedAt)} ${row.by && html`<small>${labels.batches.by} ${row.by}</small>`}</td></tr>`,
    )}</tbody></table></div></section>`
}

/** The purchases of the document in the registry's list, and the look-ups that own them. */
export const purchasesSection = (
  visit: Visit,
  { purchases, lookups }: PersonRecord,
  revealed: boolean,
): Html | null => {
  if (purchases.length === 0) return null
  const { labels, format } = visit
  const paid = new Set(lookups.filter(({ charged }) => charged === 'yes').map(({ id }) => id))
  return html`<section aria-labelledby="bought-title"><h2 id="bought-title">${labels.person.purchases}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.person.purchase}</th><th scope="col">${labels.person.dated}</th><th scope="col">${labels.person.status}</th><th scope="col">${labels.person.owner}</th><th scope="col" class="number">${labels.person.cost}</th></tr></thead>
    <tbody>${purchases.map(
      (
        each,
      ) => html`<tr><th scope="row"><code>${format.text(each.remoteId)}</code> <small>${labels.terms.kinds[each.kind]} · ${String(each.organizationId)}</small>${listedFields(visit, each, revealed)}</th>
        <td data-label="${labels.person.dated}">${each.dated && format.text(each.dated)}</td>
        <td data-label="${labels.person.status}">${each.deleted && labels.person.deleted} ${each.status && format.text(each.status)}</td>
        <td data-label="${labels.person.owner}">${each.lookupId === null ? labels.person.nobody : labels.parked.lookup(String(each.lookupId))}</td>
        <td data-label="${labels.person.cost}" class="number">${each.lookupId !== null && paid.has(each.lookupId) ? (priceText(visit, each.kind, 1) ?? '1') : '0'}</td></tr>`,
    )}</tbody></table></div></section>`
}

/** What the list shows about a purchase beside its date and status. */
const listedFields = (
  visit: Visit,
  { name, debtorStatus, listed }: PersonRecord['purchases'][number],
  revealed: boolean,
): Part => {
  const { labels } = visit
  const pairs = pairFacts(
    visit,
    toPairs({ ...(debtorStatus && { statusDebtor: debtorStatus }), ...(listed as object) }, revealed),
  )
  return (
    (name || pairs.length > 0) &&
    html`<details><summary>${labels.answer.otherFields}</summary>${facts([[labels.answer.registryName, name && (revealed ? name : maskName(name))], ...pairs])}</details>`
  )
}

/** Who viewed the person, and who downloaded a file that contains them. */
export const looksSection = ({ labels, format }: Visit, { looks }: PersonRecord): Html =>
  html`<section aria-labelledby="looks-title"><h2 id="looks-title">${labels.person.looks}</h2>
    ${
      looks.length === 0
        ? html`<p class="empty">${labels.person.noLooks}</p>`
        : html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.system.when}</th><th scope="col">${labels.system.who}</th><th scope="col">${labels.system.did}</th></tr></thead>
      <tbody>${looks
        .slice(0, 100)
        .map(
          ({ at, who, what }) =>
            html`<tr><th scope="row">${format.instant(new Date(at))}</th><td data-label="${labels.system.who}">${who}</td><td data-label="${labels.system.did}">${term(labels.terms.actions, what)}</td></tr>`,
        )}</tbody></table></div>`
    }</section>`
