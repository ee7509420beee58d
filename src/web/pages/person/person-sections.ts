import { classifications } from '../../../domain/classifications.ts'
import { type Kind, spendingKinds } from '../../../domain/kind.ts'
import { maskName } from '../../../domain/mask-documents.ts'
import { portfolioKinds } from '../../../domain/portfolio.ts'
import { formatPurpose } from '../../../domain/purpose.ts'
import { term } from '../../../messages/term.ts'
import { perform } from '../../../operations/operation.ts'
import { lookupOperations } from '../../../operations/person.ts'
import { toPairs } from '../../../views/answer.ts'
import type { PersonLookup, PersonRecord } from '../../../views/person.ts'
import { type Html, html, json, type Part } from '../../../writing/html.ts'
import { rowAddress } from '../../address.ts'
import { pairFacts, resultCell } from '../../parts/answer-panel.ts'
import { facts, priceText } from '../../parts/facts.ts'
import { hiddenCsrf, organizationSelect, purposeInputs } from '../../parts/form.ts'
import { outcomeBadge } from '../../parts/outcomes.ts'
import type { Visit } from '../../visit.ts'
import { changeTable } from '../radars/change-table.ts'
import { radarLink } from '../radars/radars-page.ts'

/** Every look-up about the person, newest first, and the figures of analyses and sweeps over time. */
export const answersSection = (visit: Visit, record: PersonRecord): Html | null => {
  const { labels } = visit
  if (record.lookups.length === 0 && record.snapshots.length === 0) return null
  return html`<section aria-labelledby="answers-title"><h2 id="answers-title">${labels.person.answers}</h2>
    ${riskPlot(visit, record)}
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.rows.asked}</th><th scope="col">${labels.upload.kind}</th><th scope="col">${labels.rows.outcome}</th>
      <th scope="col">${labels.answer.result}</th><th scope="col">${labels.rows.charged}</th><th scope="col">${labels.rows.asOf}</th></tr></thead>
      <tbody>${record.lookups.toReversed().map((each) => lookupRow(visit, each, record))}</tbody></table></div></section>`
}

const lookupRow = (visit: Visit, each: PersonLookup, { rows }: PersonRecord): Html => {
  const { labels, format } = visit
  const own = rows.find(({ batch }) => batch === each.batch)
  const asked = format.moment(each.asked)
  return html`<tr><th scope="row">${own ? html`<a href="${rowAddress({ id: own.batch, layout: own.layout }, own)}">${asked}</a>` : asked}</th>
    <td data-label="${labels.upload.kind}">${labels.terms.kinds[each.kind]}${!own && whyLines(visit, each)}</td>
    <td data-label="${labels.rows.outcome}">${outcomeBadge(labels, each.state)}</td>
    <td data-label="${labels.answer.result}">${each.answered && resultCell(visit, each, each)}</td>
    <td data-label="${labels.rows.charged}">${labels.terms.charged[each.charged]} ${each.charged === 'yes' && html`<small>${priceText(visit, each.kind, 1)}</small>`}</td>
    <td data-label="${labels.rows.asOf}" class="nowrap">${each.asOf && format.moment(each.asOf)}</td></tr>`
}

/** Why somebody was looked up, and with which authorization. */
const whyLines = ({ labels, format }: Visit, of: { purpose: string | null; authorization?: string | null }): Html => {
  const line = (label: string, text: string | null) => text && html`<br><small>${label}: ${text}</small>`
  const purpose = of.purpose && formatPurpose(labels.terms.legalBases, of.purpose)
  const authorization = of.authorization && format.text(of.authorization)
  return html`${line(labels.purposes.purpose, purpose)}${line(labels.terms.columnRoles.autorizacao, authorization ?? null)}`
}

type Point = { at: Date; cents: (bigint | null)[] | null; counts: (number | null)[] | null }

/** A plot needs at least two points. */
const riskPlot = ({ labels }: Visit, { lookups, snapshots }: PersonRecord): Html | null => {
  const points: Point[] = [
    ...lookups
      .filter(({ counts }) => counts)
      .map(({ asOf, finished, asked, counts, cents }) => ({ at: asOf ?? finished ?? asked, counts, cents })),
    ...snapshots
      .filter(({ counts, verified }) => counts && verified)
      .map(({ verified, counts, cents }) => ({ at: verified!, counts, cents })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
  if (points.length < 2) return null
  const amounts = (key: (typeof classifications)[number]) => {
    const i = classifications.indexOf(key)
    return points.map(({ cents }) => (cents?.[i] == null ? null : Number(cents[i]) / 100))
  }
  const plot = {
    kind: 'lines',
    times: points.map(({ at }) => Math.floor(at.getTime() / 1000)),
    series: (['ISDEFENDANT_WITH_RISK', 'EXECUTION_WITH_RISK'] as const).map((key) => ({
      label: labels.terms.classifications[key],
      unit: 'BRL',
      values: amounts(key),
    })),
  }
  if (plot.series.every(({ values }) => values.every((value) => value === null))) return null
  return html`<div class="plot lines" data-plot="${json(plot)}" role="img" aria-label="${labels.person.plot}"></div>`
}

/** A button for each kind, with its price: pressing it approves that. */
export const lookupSection = (visit: Visit, { type }: PersonRecord, address: string): Html => {
  const { labels, settings } = visit
  const cost = (kind: Kind) =>
    costOf(kind) === 0 ? labels.person.free : (priceText(visit, kind, 1) ?? labels.person.paid)
  return html`<section aria-labelledby="look-up-title"><h2 id="look-up-title">${labels.person.lookup}</h2><p>${labels.person.lookupHint}</p>
    <form class="filter" method="post" action="${address}">${hiddenCsrf(visit)}
      ${organizationSelect(visit, labels.upload.organization)}
      ${settings.scr.requireAuthorization && html`<label class="field"><span>${labels.terms.columnRoles.autorizacao}</span><input name="authorization" maxlength="500" autocomplete="off"></label>`}
      ${purposeInputs(visit)}
      ${portfolioKinds.filter((kind) => kind !== 'cnh' || type === 'CPF').map((kind) => html`<button name="kind" value="${kind}">${labels.person.lookUp(labels.terms.kinds[kind], cost(kind))}</button>`)}
    </form></section>`
}

/** What the button of a kind approves. */
const costOf = (kind: Kind): number => (spendingKinds.includes(kind) ? 1 : 0)

export const lookUp = async (visit: Visit, document: string, form: Record<string, string>): Promise<string> => {
  const { csrf: _, ...filled } = Object.fromEntries(Object.entries(form).filter(([, text]) => text !== ''))
  const { batch } = await perform(lookupOperations.lookUp, visit, {
    ...filled,
    document,
    maxSpend: costOf(form.kind as Kind),
    name: visit.labels.person.lookupName,
  })
  return `/batches/${batch}`
}

/** The radars of the person, each with a link to its history, and the changes. */
export const watchSection = (visit: Visit, { radars, changes }: PersonRecord): Html => {
  const { labels, format } = visit
  return html`<section aria-labelledby="watch-title"><h2 id="watch-title">${labels.person.radars}</h2>
    ${radars.length === 0 && html`<p class="empty">${labels.person.noRadars}</p>`}
    <ul class="plain-list">${radars.map(
      (radar) => html`<li>${radarLink(visit, radar)}
        <small>${radar.organization} · ${radar.removed ? labels.radars.removed : radar.active ? labels.radars.active : labels.radars.inactive}${radar.added && html` · ${labels.radars.added} ${format.moment(radar.added)}`}</small></li>`,
    )}</ul>
    ${changes.length > 0 && changeTable(visit, changes.slice(0, 200))}</section>`
}

/** The portfolios that contain the document. */
export const portfoliosSection = (visit: Visit, { portfolios }: PersonRecord): Html | null => {
  const { labels, format } = visit
  if (portfolios.length === 0) return null
  return html`<section aria-labelledby="lists-title"><h2 id="lists-title">${labels.person.portfolios}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.radars.name}</th><th scope="col">${labels.upload.kind}</th><th scope="col">${labels.person.since}</th><th scope="col">${labels.person.left}</th></tr></thead>
    <tbody>${portfolios.map(
      (
        each,
      ) => html`<tr><th scope="row"><a href="/portfolios/${encodeURIComponent(each.portfolio)}">${each.portfolio}</a> <small>${each.organization}</small>${whyLines(visit, each)}</th>
        <td data-label="${labels.upload.kind}">${labels.terms.kinds[each.kind]}</td>
        <td data-label="${labels.person.since}">${format.moment(each.since)}</td>
        <td data-label="${labels.person.left}">${each.removed ? format.moment(each.removed) : '–'}</td></tr>`,
    )}</tbody></table></div></section>`
}

/** The lines of files that contain the document. */
export const linesSection = (visit: Visit, { rows }: PersonRecord): Html | null => {
  const { labels, format } = visit
  if (rows.length === 0) return null
  return html`<section aria-labelledby="lines-title"><h2 id="lines-title">${labels.person.lines}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.batches.name}</th><th scope="col" class="number">${labels.rows.line}</th><th scope="col">${labels.rows.outcome}</th><th scope="col">${labels.batches.submitted}</th></tr></thead>
    <tbody>${rows.slice(0, 500).map(
      (
        row,
      ) => html`<tr><th scope="row"><a href="/batches/${row.batch}">${format.text(row.name)}</a> <small>${row.batch} · ${labels.terms.kinds[row.kind]}</small>${whyLines(visit, row)}</th>
        <td data-label="${labels.rows.line}" class="number"><a href="${rowAddress({ id: row.batch, layout: row.layout }, row)}">${format.count(row.line)}</a></td>
        <td data-label="${labels.rows.outcome}">${outcomeBadge(labels, row.state)}</td>
        <td data-label="${labels.batches.submitted}">${format.moment(row.submitted)} ${row.by && html`<small>${labels.batches.by} ${row.by}</small>`}</td></tr>`,
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
  const paid = new Set(lookups.filter(({ charged }) => charged === 'yes').map(({ lookup }) => lookup))
  return html`<section aria-labelledby="bought-title"><h2 id="bought-title">${labels.person.purchases}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.rows.remote}</th><th scope="col">${labels.person.dated}</th><th scope="col">${labels.person.status}</th><th scope="col">${labels.person.owner}</th><th scope="col" class="number">${labels.person.cost}</th></tr></thead>
    <tbody>${purchases.map(
      (
        each,
      ) => html`<tr><th scope="row"><code>${format.text(each.id)}</code> <small>${labels.terms.kinds[each.kind]} · ${each.organization}</small>${listedFields(visit, each, revealed)}</th>
        <td data-label="${labels.person.dated}">${each.dated && format.text(each.dated)}</td>
        <td data-label="${labels.person.status}">${each.deleted && labels.person.deleted} ${each.status && format.text(each.status)}</td>
        <td data-label="${labels.person.owner}">${each.lookup === null ? labels.person.nobody : labels.parked.lookup(String(each.lookup))}</td>
        <td data-label="${labels.person.cost}" class="number">${each.lookup !== null && paid.has(each.lookup) ? (priceText(visit, each.kind, 1) ?? '1') : '0'}</td></tr>`,
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
            html`<tr><th scope="row">${format.instant(at)}</th><td data-label="${labels.system.who}">${who}</td><td data-label="${labels.system.did}">${term(labels.terms.actions, what)}</td></tr>`,
        )}</tbody></table></div>`
    }</section>`
