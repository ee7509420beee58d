import type { FindOwnNames } from '../../../batches/own-rows.ts'
import { changedField, changedValue } from '../../../domain/changed-field.ts'
import { term } from '../../../messages/term.ts'
import { changeOperations } from '../../../operations/radars.ts'
import type { ChangeLine } from '../../../views/change.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { sealAddress } from '../../address.ts'
import { ownNamesLine } from '../../parts/facts.ts'
import { hiddenCsrf } from '../../parts/form.ts'
import type { Pages, Visit } from '../../visit.ts'

/** Changes of one document, one per line; `inBlock`: those of one sweep, in the block of the document. */
export const changeTable = (visit: Visit, changes: ChangeLine[], inBlock = false): Html => {
  const { changes: of } = visit.labels
  return html`<div class="table-scroll"><table class="cards dense"><thead><tr><th scope="col">${of.what}</th><th scope="col">${of.verdict}</th>
    <th scope="col">${of.before}</th><th scope="col">${of.after}</th><th scope="col">${of.rules}</th>${!inBlock && html`<th scope="col">${of.night}</th>`}</tr></thead>
    <tbody>${changes.map((change) => row(visit, change, inBlock))}</tbody></table></div>`
}

const row = (visit: Visit, change: ChangeLine, inBlock: boolean): Html => {
  const { labels, format } = visit
  const { field, verdict } = change
  const value = (text: string | null) => changedValue(format, field, text)
  return html`<tr><td data-label="${labels.changes.what}">${changedField(labels.terms, field)}</td>
    <td data-label="${labels.changes.verdict}"><span class="badge verdict verdict-${verdict}">${term(labels.terms.verdicts, verdict)}</span></td>
    <td data-label="${labels.changes.before}">${value(change.before)}</td><td data-label="${labels.changes.after}"><strong>${value(change.after)}</strong></td>
    <td data-label="${labels.changes.rules}">${rulesCell(visit, change, inBlock)}</td>
    ${!inBlock && html`<td data-label="${labels.changes.night}">${format.moment(change.seenAt)}</td>`}</tr>`
}

/** The rules that the change met, its acknowledgement, and outside of a block the form to acknowledge it. */
const rulesCell = (visit: Visit, change: ChangeLine, inBlock: boolean): Html => {
  const { labels, format } = visit
  const { id, rules, acknowledgedAt, acknowledgedBy, note, snoozedUntil } = change
  if (rules.length === 0 && !acknowledgedAt) return html`–`
  const acknowledgement =
    acknowledgedAt && labels.changes.acknowledged(acknowledgedBy ?? '', format.moment(acknowledgedAt))
  return html`${rules.map(({ rule, severity }) => html`<span class="badge severity-${severity}" title="${labels.severities[severity]}">${rule}</span> `)}
    ${acknowledgement && html`<small>${acknowledgement}: ${format.text(note ?? '')}${snoozedUntil && html` (${labels.changes.snoozed(format.moment(snoozedUntil))})`}</small>`}
    ${!inBlock && rules.length > 0 && changeForm(visit, id)}`
}

/** Whether a document links to its radar or to the person, and its names in files. */
type Leads = { to: 'radars' | 'person'; ownNames?: FindOwnNames }

/**
 * Changes as one block per document, the worst first, with its figures inside. `form`: the form to which the selected
 * changes belong.
 */
export const changeBlocks = (visit: Visit, changes: ChangeLine[], leads: Leads, form?: string): Html => {
  const documents = Map.groupBy(changes, ({ organizationId, document }) => `${organizationId} ${document}`)
  return html`<div class="changed">${[...documents.values()].map((each) => block(visit, each, leads, form))}</div>`
}

const block = (visit: Visit, changes: ChangeLine[], leads: Leads, form?: string): Html => {
  const { labels, format } = visit
  const [worst] = changes as [ChangeLine]
  const [first, rest] = [changes.slice(0, unfolded), changes.slice(unfolded)]
  const open = changes.filter(({ acknowledgedAt }) => !acknowledgedAt).map(({ id }) => id)
  return html`<article><div class="changed-head">${form && open.length > 0 && selectBox(visit, worst, open, form)}
    <h3><a href="${addressOf(visit, worst, leads)}">${nameOf(visit, worst)}</a></h3>${worst.name && html`<span class="document">${format.document(worst.document)}</span>`}
    <span class="badge verdict verdict-${worst.verdict}">${term(labels.terms.verdicts, worst.verdict)}</span>${ownLine(worst, leads)}</div>
    ${changeTable(visit, first, true)}
    ${rest.length > 0 && html`<details><summary>${labels.changes.moreFigures(format.count(rest.length))}</summary>${changeTable(visit, rest, true)}</details>`}</article>`
}

/** Figures of a document that are shown before the others fold away. */
const unfolded = 3

const nameOf = ({ format }: Visit, { name, document }: ChangeLine): string =>
  name ? format.text(name) : format.document(document)

const selectBox = (visit: Visit, change: ChangeLine, ids: bigint[], form: string): Html =>
  html`<input type="checkbox" form="${form}" name="changes-${change.id}" value="${ids.join(',')}" aria-label="${visit.labels.changes.select(nameOf(visit, change))}">`

/** A document has one name on the page: the registry's in full, else that of the file, masked as on every page. */
const ownLine = (change: ChangeLine, { ownNames }: Leads): Part => {
  const own = ownNames?.(change)
  return ownNamesLine(own && change.name ? { name: null, ref: own.ref } : own)
}

/** The page of a person is the same for every organization. */
const addressOf = ({ secret }: Visit, { organizationId, document }: ChangeLine, { to }: Leads): string =>
  `/${to}/${sealAddress(secret, { organizationId: to === 'person' ? 0n : organizationId, document })}`

export const acknowledgeForm = 'acknowledge'

/** The form of the changes that are selected on the page, which are fields of it wherever they stand. */
export const selectedForm = (visit: Visit): Html =>
  html`<form id="${acknowledgeForm}" class="filter selected" method="post" action="/changes/acknowledge">${hiddenCsrf(visit)}
    <strong>${visit.labels.changes.selected}</strong>${fields(visit)}</form>`

/** The form of one change. */
const changeForm = (visit: Visit, id: bigint): Html =>
  html`<details><summary>${visit.labels.changes.acknowledge}</summary><form class="filter" method="post" action="/changes/acknowledge">${hiddenCsrf(visit)}
    <input type="hidden" name="changes-${id}" value="${id}">${fields(visit)}</form></details>`

const fields = ({ labels: { changes } }: Visit): Html =>
  html`<label class="field"><span>${changes.note}</span><input name="note" maxlength="500" required></label>
    <button class="primary">${changes.acknowledge}</button><button name="for" value="7d">${changes.snooze('7')}</button><button name="for" value="30d">${changes.snooze('30')}</button>`

/** Acknowledges or snoozes the selected changes. */
export const addAcknowledgement = ({ operationForm }: Pages): void =>
  operationForm(
    changeOperations.acknowledgeSeveral,
    '/changes/acknowledge',
    () => '/changes?notice=acknowledged',
    (form) => ({
      note: form.note,
      ...(form.for && { for: form.for }),
      changes: Object.entries(form).flatMap(([name, ids]) => (name.startsWith('changes-') ? ids.split(',') : [])),
    }),
  )
