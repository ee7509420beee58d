import { term } from '../../../domain/terms/term.ts'
import type { PersonRecord } from '../../../views/person-record.ts'
import { type Html, html } from '../../../writing/html.ts'
import { priceText } from '../../parts/facts.ts'
import { outcomeBadge } from '../../parts/outcome-bar.ts'
import { sealAddress } from '../../sealed-address.ts'
import type { Visit } from '../../visit.ts'
import { changeTable } from '../radars/change-table.ts'

/** The radars of the person, each leading to its history, and what changed. */
export const watchSection = (visit: Visit, { radars, changes }: PersonRecord, secret: Buffer): Html => {
  const { words, format } = visit
  return html`<section aria-labelledby="watch-title"><h2 id="watch-title">${words.person.radars}</h2>
    ${radars.length === 0 && html`<p class="empty">${words.person.noRadars}</p>`}
    <ul class="plain-list">${radars.map(
      (
        radar,
      ) => html`<li><a href="/radars/${sealAddress(secret, radar)}">${radar.name ? format.text(radar.name) : format.document(radar.document)}</a>
        <small>${String(radar.organizationId)} · ${radar.removedAt ? words.radars.removed : radar.active ? words.radars.active : words.radars.inactive}${radar.addedAt && html` · ${words.radars.added} ${format.moment(radar.addedAt)}`}</small></li>`,
    )}</ul>
    ${changes.length > 0 && changeTable(visit, changes.slice(0, 200))}</section>`
}

/** The portfolios that the document is in. */
export const portfoliosSection = ({ words, format }: Visit, { portfolios }: PersonRecord): Html | null => {
  if (portfolios.length === 0) return null
  return html`<section aria-labelledby="lists-title"><h2 id="lists-title">${words.person.portfolios}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.portfolios.name}</th><th scope="col">${words.portfolios.kind}</th><th scope="col">${words.person.since}</th><th scope="col">${words.person.left}</th></tr></thead>
    <tbody>${portfolios.map(
      (
        each,
      ) => html`<tr><th scope="row"><a href="/portfolios/${encodeURIComponent(each.portfolio)}">${each.portfolio}</a> <small>${String(each.organizationId)}</small></th>
        <td data-label="${words.portfolios.kind}">${words.terms.kinds[each.kind]}</td>
        <td data-label="${words.person.since}">${format.moment(each.addedAt)}</td>
        <td data-label="${words.person.left}">${each.removedAt ? format.moment(each.removedAt) : '–'}</td></tr>`,
    )}</tbody></table></div></section>`
}

/** The lines of files in which the document stands. */
export const linesSection = ({ words, format }: Visit, { rows }: PersonRecord): Html | null => {
  if (rows.length === 0) return null
  return html`<section aria-labelledby="lines-title"><h2 id="lines-title">${words.person.lines}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.batches.name}</th><th scope="col" class="number">${words.rows.line}</th><th scope="col">${words.rows.outcome}</th><th scope="col">${words.batches.submitted}</th></tr></thead>
    <tbody>${rows.slice(0, 500).map(
      (
        row,
      ) => html`<tr><th scope="row"><a href="/batches/${row.batchId}">${format.text(row.name)}</a> <small>${String(row.batchId)} · ${words.terms.kinds[row.kind]}</small></th>
        <td data-label="${words.rows.line}" class="number"><a href="/batches/${row.batchId}/rows/${row.line}">${format.count(row.line)}</a></td>
        <td data-label="${words.rows.outcome}">${outcomeBadge(words, row.outcome)}</td>
        <td data-label="${words.batches.submitted}">${format.moment(row.submittedAt)} ${row.by && html`<small>${words.batches.by} ${row.by}</small>`}</td></tr>`,
    )}</tbody></table></div></section>`
}

/** What the registry lists as bought of the document, and who owns it. */
export const purchasesSection = (visit: Visit, { purchases, lookups }: PersonRecord): Html | null => {
  if (purchases.length === 0) return null
  const { words, format } = visit
  const paid = new Set(lookups.filter(({ charged }) => charged === 'yes').map(({ id }) => id))
  return html`<section aria-labelledby="bought-title"><h2 id="bought-title">${words.person.purchases}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.person.purchase}</th><th scope="col">${words.person.dated}</th><th scope="col">${words.person.status}</th><th scope="col">${words.person.owner}</th><th scope="col" class="number">${words.person.cost}</th></tr></thead>
    <tbody>${purchases.map(
      (
        each,
      ) => html`<tr><th scope="row"><code>${format.text(each.remoteId)}</code> <small>${words.terms.kinds[each.kind]} · ${String(each.organizationId)}</small></th>
        <td data-label="${words.person.dated}">${each.dated && format.text(each.dated)}</td>
        <td data-label="${words.person.status}">${each.deleted ? words.person.deleted : each.status && format.text(each.status)}</td>
        <td data-label="${words.person.owner}">${each.lookupId === null ? words.person.nobody : words.parked.lookup(String(each.lookupId))}</td>
        <td data-label="${words.person.cost}" class="number">${each.lookupId !== null && paid.has(each.lookupId) ? (priceText(visit, each.kind, 1) ?? '1') : '0'}</td></tr>`,
    )}</tbody></table></div></section>`
}

/** Who looked at the person, and who took a file away that holds them. */
export const looksSection = ({ words, format }: Visit, { looks }: PersonRecord): Html =>
  html`<section aria-labelledby="looks-title"><h2 id="looks-title">${words.person.looks}</h2>
    ${
      looks.length === 0
        ? html`<p class="empty">${words.person.noLooks}</p>`
        : html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.system.when}</th><th scope="col">${words.system.who}</th><th scope="col">${words.system.did}</th></tr></thead>
      <tbody>${looks
        .slice(0, 100)
        .map(
          ({ at, who, what }) =>
            html`<tr><th scope="row">${format.instant(new Date(at))}</th><td data-label="${words.system.who}">${who}</td><td data-label="${words.system.did}">${term(words.terms.deeds, what)}</td></tr>`,
        )}</tbody></table></div>`
    }</section>`
