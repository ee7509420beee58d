import { parseAmount } from '../../../domain/amount.ts'
import { classifications } from '../../../domain/classifications.ts'
import { term } from '../../../domain/terms/term.ts'
import type { ChangeLine } from '../../../views/change.ts'
import { type Html, html } from '../../html.ts'
import { sealAddress } from '../../sealed-address.ts'
import { hiddenCsrf } from '../../parts/form.ts'
import type { Visit } from '../../visit.ts'

/** Changes, one a line. With the secret each leads to its document; without, they are all of one document. */
export const changeTable = (visit: Visit, changes: ChangeLine[], secret: Buffer | null): Html => {
  const { words } = visit
  return html`<div class="table-scroll"><table class="cards"><thead><tr>${secret && html`<th scope="col">${words.changes.radar}</th>`}<th scope="col">${words.changes.what}</th><th scope="col">${words.changes.verdict}</th>
    <th scope="col">${words.changes.before}</th><th scope="col">${words.changes.after}</th><th scope="col">${words.changes.rules}</th>${!secret && html`<th scope="col">${words.changes.night}</th>`}</tr></thead>
    <tbody>${changes.map((change) => row(visit, change, secret))}</tbody></table></div>`
}

const row = (visit: Visit, change: ChangeLine, secret: Buffer | null): Html => {
  const { words, format } = visit
  const { document, name, field, verdict } = change
  const value = (text: string | null) => (text === null ? '–' : shownValue(format, field, text))
  return html`<tr>${
    secret &&
    html`<th scope="row"><a href="/radars/${sealAddress(secret, change)}">${name ? format.text(name) : format.document(document)}</a> <small class="document">${format.document(document)}</small></th>`
  }<td data-label="${words.changes.what}">${fieldName(words, field)}</td>
    <td data-label="${words.changes.verdict}"><span class="badge verdict verdict-${verdict}">${term(words.terms.verdicts, verdict)}</span></td>
    <td data-label="${words.changes.before}">${value(change.before)}</td><td data-label="${words.changes.after}"><strong>${value(change.after)}</strong></td>
    <td data-label="${words.changes.rules}">${rulesCell(visit, change)}</td>
    ${!secret && html`<td data-label="${words.changes.night}">${format.moment(change.seenAt)}</td>`}</tr>`
}

/** Which rules it met, what somebody said to it, and the place to say it. */
const rulesCell = (
  visit: Visit,
  { id, rules, acknowledgedAt, acknowledgedBy, note, snoozedUntil }: ChangeLine,
): Html => {
  const { words, format } = visit
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

/** `processes`, `name`, `RISK_WORKER_count` or `RISK_WORKER_value`. */
export const fieldName = (words: Visit['words'], field: string): string => {
  const [, key, what] = /^(\w+?)[_.](count|value|cents|amount)$/.exec(field) ?? []
  const known = classifications.find((name) => name === (key ?? field))
  if (!known) return term(listFields(words), field)
  const name = words.terms.classifications[known]
  if (!what) return name
  return what === 'count' ? words.changes.counts(name) : words.changes.amounts(name)
}

const listFields = ({ changes, radars }: Visit['words']): Record<string, string> => ({
  processes: changes.processes,
  radar: changes.radar,
  name: radars.name,
  active: radars.active,
})

export const shownValue = (format: Visit['format'], field: string, text: string): string => {
  const cents = /(value|amount)$/.test(field)
    ? parseAmount(text)
    : /cents$/.test(field) && /^-?\d+$/.test(text)
      ? BigInt(text)
      : null
  if (cents !== null) return format.cents(cents)
  const isCount = /(processes|count)$/.test(field) && /^\d{1,9}$/.test(text)
  return isCount ? format.count(Number(text)) : format.text(text)
}
