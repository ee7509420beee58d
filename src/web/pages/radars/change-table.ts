import type { FindOwnNames } from '../../../batches/own-names.ts'
import { changedField, changedValue } from '../../../domain/changed-field.ts'
import { term } from '../../../domain/terms/term.ts'
import type { ChangeLine } from '../../../views/change.ts'
import { type Html, html } from '../../../writing/html.ts'
import { ownNamesLine } from '../../parts/facts.ts'
import { hiddenCsrf } from '../../parts/form.ts'
import { sealAddress } from '../../sealed-address.ts'
import type { Visit } from '../../visit.ts'

/** Where a change leads, to its radar or to the person, and what files call the document. */
type Leads = { secret: Buffer; to: 'radars' | 'person'; ownNames?: FindOwnNames }

/** Changes, one a line. With an address each leads to its document; without, they are all of one document. */
export const changeTable = (visit: Visit, changes: ChangeLine[], leads: Leads | null = null): Html => {
  const { words } = visit
  return html`<div class="table-scroll"><table class="cards"><thead><tr>${leads && html`<th scope="col">${leads.to === 'radars' ? words.changes.radar : words.changes.document}</th>`}<th scope="col">${words.changes.what}</th><th scope="col">${words.changes.verdict}</th>
    <th scope="col">${words.changes.before}</th><th scope="col">${words.changes.after}</th><th scope="col">${words.changes.rules}</th>${!leads && html`<th scope="col">${words.changes.night}</th>`}</tr></thead>
    <tbody>${changes.map((change) => row(visit, change, leads))}</tbody></table></div>`
}

const row = (visit: Visit, change: ChangeLine, leads: Leads | null): Html => {
  const { words, format } = visit
  const { document, name, field, verdict } = change
  const value = (text: string | null) => (text === null ? '–' : changedValue(format, field, text))
  return html`<tr>${
    leads &&
    html`<th scope="row"><a href="${addressOf(change, leads)}">${name ? format.text(name) : format.document(document)}</a>${name && html` <small class="document">${format.document(document)}</small>`}${ownNamesLine(leads.ownNames?.(change) ?? null)}</th>`
  }<td data-label="${words.changes.what}">${fieldName(words, field)}</td>
    <td data-label="${words.changes.verdict}"><span class="badge verdict verdict-${verdict}">${term(words.terms.verdicts, verdict)}</span></td>
    <td data-label="${words.changes.before}">${value(change.before)}</td><td data-label="${words.changes.after}"><strong>${value(change.after)}</strong></td>
    <td data-label="${words.changes.rules}">${rulesCell(visit, change)}</td>
    ${!leads && html`<td data-label="${words.changes.night}">${format.moment(change.seenAt)}</td>`}</tr>`
}

/** A person is one, whichever organization asks. */
const addressOf = ({ organizationId, document }: ChangeLine, { secret, to }: Leads): string =>
  `/${to}/${sealAddress(secret, { organizationId: to === 'person' ? 0n : organizationId, document })}`

/** Which rules it met, what somebody said to it, and the place to say it. */
const rulesCell = (
  visit: Visit,
  { id, rules, acknowledgedAt, acknowledgedBy, note, snoozedUntil }: ChangeLine,
): Html => {
  const { words, format } = visit
  if (rules.length === 0 && !acknowledgedAt) return html`–`
  const said = acknowledgedAt && words.changes.acknowledged(acknowledgedBy ?? '', format.moment(acknowledgedAt))
  return html`${rules.map(({ rule, severity }) => html`<span class="badge severity-${severity}" title="${words.severities[severity]}">${rule}</span> `)}
    ${said && html`<small>${said}: ${format.text(note ?? '')}${snoozedUntil && html` (${words.changes.snoozed(format.moment(snoozedUntil))})`}</small>`}
    ${
      rules.length > 0 &&
      visit.may('ops') &&
      html`<details><summary>${words.changes.word}</summary><form class="filter" method="post" action="/changes/${id}/word">${hiddenCsrf(visit)}
      <label class="field"><span>${words.changes.note}</span><input name="note" maxlength="500" required></label>
      <button name="days" value="">${words.changes.acknowledge}</button><button name="days" value="7">${words.changes.snooze('7')}</button><button name="days" value="30">${words.changes.snooze('30')}</button></form></details>`
    }`
}

export const fieldName = ({ changes, radars, terms }: Visit['words'], field: string): string =>
  changedField(terms.classifications, { ...changes, name: radars.name, active: radars.active }, field)
