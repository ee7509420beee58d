import type { FastifyInstance } from 'fastify'
import type { Resolution } from '../../../batches/resolve.ts'
import { type Kind, spendingKinds } from '../../../domain/kind.ts'
import type { ParkedShown } from '../../../views/parked.ts'
import { type Html, html } from '../../../writing/html.ts'
import { resolveLine, resolveParked } from '../../actions/resolve.ts'
import { idIn, lineIn } from '../../address.ts'
import { pricedCount } from '../../parts/facts.ts'
import { buttonForm, hiddenCsrf } from '../../parts/form.ts'
import { Refusal } from '../../site/refusals.ts'
import type { SiteFor } from '../../site/site.ts'
import { action, type Visit } from '../../visit.ts'

/** A person's word about a row in doubt. */
export const addResolve = (app: FastifyInstance, siteFor: SiteFor): void => {
  action(app, siteFor, 'admin', '/batches/:batch/rows/:line/resolve', async ({ site, request, visitor }, form) => {
    const id = idIn(request.params, 'batch')
    const line = lineIn(request.params)
    await resolveLine(site, visitor.name, id, line, resolutionIn(form))
    return `/batches/${id}/rows/${line}?notice=resolved`
  })
  action(app, siteFor, 'admin', '/parked/:lookup/resolve', async ({ site, request, visitor }, form) => {
    await resolveParked(site, visitor.name, idIn(request.params, 'lookup'), resolutionIn(form))
    return '/parked?notice=resolved'
  })
}

const resolutionIn = ({ word, remote = '' }: Record<string, string>): Resolution => {
  if (word === 'resend' || word === 'drop') return word
  const adopt = remote.trim()
  if (word === 'adopt' && /^[\w-]{1,64}$/.test(adopt)) return { adopt }
  throw new Refusal(422, 'wrong_request', ['say_how'])
}

type Doubt = { action: string; kind: Kind; candidates: Candidate[] }
type Candidate = ParkedShown['candidates'][number]

/** The three choices, side by side, each with what it costs; only an administrator has them. Everyone sees the candidates. */
export const choices = (visit: Visit, doubt: Doubt): Html => {
  const { words } = visit
  if (!visit.may('admin')) {
    return html`${candidateList(visit, doubt, false)}<p class="notice warn">${words.parked.adminOnly}</p>`
  }
  const { kind } = doubt
  const paid = spendingKinds.includes(kind)
  const cost = paid ? words.parked.resendHint : words.parked.resendFree
  return html`${candidateList(visit, doubt, true)}<div class="choices">
    ${form(
      visit,
      doubt,
      'adopt',
      html`<strong>${words.parked.adopt}</strong><small>${words.parked.adoptHint}</small>${costLine(visit, kind, 0)}
      <label class="field"><span>${words.parked.adoptLabel}</span><input name="remote" required maxlength="64" pattern="[\\w\\-]+" autocomplete="off"></label>
      <button>${words.parked.adoptSubmit}</button>`,
    )}
    ${form(visit, doubt, 'resend', html`<strong>${words.parked.resend}</strong><small>${cost}</small>${costLine(visit, kind, paid ? 1 : 0)}<button>${words.parked.resendSubmit}</button>`, cost)}
    ${form(visit, doubt, 'drop', html`<strong>${words.parked.drop}</strong><small>${words.parked.dropHint}</small>${costLine(visit, kind, 0)}<button class="danger">${words.parked.dropSubmit}</button>`)}
  </div>`
}

const form = (visit: Visit, { action: to }: Doubt, word: string, inside: Html, ask?: string): Html =>
  html`<form method="post" action="${to}" class="choice"${ask && html` data-ask="${ask}"`}>
    ${hiddenCsrf(visit)}<input type="hidden" name="word" value="${word}">${inside}</form>`

/** What a choice adds to what was reserved when the call left. */
const costLine = (visit: Visit, kind: Kind, units: number): Html =>
  html`<small><strong>${units === 0 ? visit.words.parked.costsNothing : visit.words.parked.costs(pricedCount(visit, kind, units))}</strong></small>`

/** What the registry lists of the document; one of them may be the purchase whose answer was lost. */
const candidateList = (visit: Visit, doubt: Doubt, mayChoose: boolean): Html => {
  const { words } = visit
  if (doubt.candidates.length === 0) return html`<p class="quiet-text">${words.parked.noCandidates}</p>`
  return html`<div class="table-scroll"><table class="cards"><caption class="caption">${words.parked.candidates}</caption><thead><tr><th scope="col">${words.person.purchase}</th><th scope="col">${words.person.dated}</th><th scope="col">${words.person.status}</th><th scope="col">${words.person.owner}</th>${mayChoose && html`<th scope="col"><span class="visually-hidden">${words.parked.adoptSubmit}</span></th>`}</tr></thead>
    <tbody>${doubt.candidates.map((each) => candidateRow(visit, doubt, each, mayChoose))}</tbody></table></div>`
}

const candidateRow = (
  visit: Visit,
  doubt: Doubt,
  { id, dated, status, deleted, owner }: Candidate,
  mayChoose: boolean,
): Html => {
  const { words, format } = visit
  const free = owner === null && !deleted
  const fields = { word: 'adopt', remote: id }
  return html`<tr><th scope="row"><code>${format.text(id)}</code></th>
    <td data-label="${words.person.dated}">${dated ? format.text(dated) : '–'}</td>
    <td data-label="${words.person.status}">${deleted ? words.person.deleted : status ? format.text(status) : '–'}</td>
    <td data-label="${words.person.owner}">${owner === null ? words.person.nobody : words.parked.lookup(String(owner))}</td>
    ${mayChoose && html`<td>${free && buttonForm(visit, { action: doubt.action, label: words.parked.adoptThis, look: 'primary', fields })}</td>`}</tr>`
}
