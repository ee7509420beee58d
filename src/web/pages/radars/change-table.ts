import type { FindOwnNames } from '../../../batches/own-names.ts'
import { changedField, changedValue } from '../../../domain/changed-field.ts'
import { term } from '../../../domain/terms/term.ts'
import type { ChangeLine } from '../../../views/change.ts'
import { type Html, html } from '../../../writing/html.ts'
import { ownNamesLine } from '../../parts/facts.ts'
import { hiddenCsrf } from '../../parts/form.ts'
import { sealAddress } from '../../sealed-address.ts'
import type { Visit } from '../../visit.ts'

/** Whether a change links to its radar or to the person, and the names of the document in files. */
type Leads = { secret: Buffer; to: 'radars' | 'person'; ownNames?: FindOwnNames }

/** Changes, one per line. With `leads` each links to its document; without, all are of one document. */
export const changeTable = (visit: Visit, changes: ChangeLine[], leads: Leads | null = null): Html => {
  const { labels } = visit
  return html`<div class="table-scroll"><table class="cards"><thead><tr>${leads && html`<th scope="col">${leads.to === 'radars' ? labels.changes.radar : labels.changes.document}</th>`}<th scope="col">${labels.changes.what}</th><th scope="col">${labels.changes.verdict}</th>
    <th scope="col">${labels.changes.before}</th><th scope="col">${labels.changes.after}</th><th scope="col">${labels.changes.rules}</th>${!leads && html`<th scope="col">${labels.changes.night}</th>`}</tr></thead>
    <tbody>${changes.map((change) => row(visit, change, leads))}</tbody></table></div>`
}

const row = (visit: Visit, change: ChangeLine, leads: Leads | null): Html => {
  const { labels, format } = visit
  const { document, name, field, verdict } = change
  const value = (text: string | null) => (text === null ? '–' : changedValue(format, field, text))
  return html`<tr>${
    leads &&
    html`<th scope="row"><a href="${addressOf(change, leads)}">${name ? format.text(name) : format.document(document)}</a>${name && html` <small class="document">${format.document(document)}</small>`}${ownNamesLine(leads.ownNames?.(change) ?? null)}</th>`
  }<td data-label="${labels.changes.what}">${fieldName(labels, field)}</td>
    <td data-label="${labels.changes.verdict}"><span class="badge verdict verdict-${verdict}">${term(labels.terms.verdicts, verdict)}</span></td>
    <td data-label="${labels.changes.before}">${value(change.before)}</td><td data-label="${labels.changes.after}"><strong>${value(change.after)}</strong></td>
    <td data-label="${labels.changes.rules}">${rulesCell(visit, change)}</td>
    ${!leads && html`<td data-label="${labels.changes.night}">${format.moment(change.seenAt)}</td>`}</tr>`
}

/** The page of a person is the same for every organization. */
const addressOf = ({ organizationId, document }: ChangeLine, { secret, to }: Leads): string =>
  `/${to}/${sealAddress(secret, { organizationId: to === 'person' ? 0n : organizationId, document })}`

/** The rules that the change met, its acknowledgement, and the form to acknowledge it. */
const rulesCell = (
  visit: Visit,
  { id, rules, acknowledgedAt, acknowledgedBy, note, snoozedUntil }: ChangeLine,
): Html => {
  const { labels, format } = visit
  if (rules.length === 0 && !acknowledgedAt) return html`–`
  const acknowledgement =
    acknowledgedAt && labels.changes.acknowledged(acknowledgedBy ?? '', format.moment(acknowledgedAt))
  return html`${rules.map(({ rule, severity }) => html`<span class="badge severity-${severity}" title="${labels.severities[severity]}">${rule}</span> `)}
    ${acknowledgement && html`<small>${acknowledgement}: ${format.text(note ?? '')}${snoozedUntil && html` (${labels.changes.snoozed(format.moment(snoozedUntil))})`}</small>`}
    ${
      rules.length > 0 &&
      visit.may('ops') &&
      html`<details><summary>${labels.changes.acknowledgeTitle}</summary><form class="filter" method="post" action="/changes/${id}/acknowledge">${hiddenCsrf(visit)}
      <label class="field"><span>${labels.changes.note}</span><input name="note" maxlength="500" required></label>
      <button name="days" value="">${labels.changes.acknowledge}</button><button name="days" value="7">${labels.changes.snooze('7')}</button><button name="days" value="30">${labels.changes.snooze('30')}</button></form></details>`
    }`
}

export const fieldName = ({ changes, radars, terms }: Visit['labels'], field: string): string =>
  changedField(terms.classifications, { ...changes, name: radars.name, active: radars.active }, field)
