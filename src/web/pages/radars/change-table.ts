import { changedField, changedValue } from '../../../domain/changed-field.ts'
import { term } from '../../../messages/term.ts'
import type { ChangeLine } from '../../../views/change.ts'
import { type Html, html } from '../../../writing/html.ts'
import type { Visit } from '../../visit.ts'
import { changeForm } from './acknowledge.ts'

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
  const value = (text: string | null) => (text === null ? '–' : changedValue(format, field, text))
  return html`<tr><td data-label="${labels.changes.what}">${fieldName(labels, field)}</td>
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

export const fieldName = ({ changes, radars, terms }: Visit['labels'], field: string): string =>
  changedField(terms.classifications, { ...changes, name: radars.name, active: radars.active }, field)
