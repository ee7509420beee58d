import type { FastifyInstance } from 'fastify'
import type { Resolution } from '../../../batches/resolve.ts'
import { type Kind, spendingKinds } from '../../../domain/kind.ts'
import { resolveLine, resolveParked } from '../../actions/resolve.ts'
import { idIn, lineIn } from '../../address.ts'
import { type Html, html } from '../../html.ts'
import { hiddenCsrf } from '../../parts/form.ts'
import { Refusal } from '../../refusals.ts'
import type { Site } from '../../site.ts'
import { action, type Visit } from '../../visit.ts'

/** A person's word about a row in doubt. */
export const addResolve = (app: FastifyInstance, site: Site): void => {
  action(app, site, 'admin', '/batches/:batch/rows/:line/resolve', async ({ request, visitor }, form) => {
    const id = idIn(request.params, 'batch')
    const line = lineIn(request.params)
    await resolveLine(site, visitor.name, id, line, resolutionIn(form))
    return `/batches/${id}/rows/${line}?notice=resolved`
  })
  action(app, site, 'admin', '/parked/:lookup/resolve', async ({ request, visitor }, form) => {
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

/** The three choices, side by side; only an administrator has them. */
export const choices = (visit: Visit, { action, kind }: { action: string; kind: Kind }): Html => {
  const { words } = visit
  if (!visit.may('admin')) return html`<p class="notice warn">${words.parked.adminOnly}</p>`
  const cost = spendingKinds.includes(kind) ? words.parked.resendHint : words.parked.resendFree
  const form = (
    word: string,
    inside: Html,
    ask?: string,
  ) => html`<form method="post" action="${action}" class="choice"${ask && html` data-ask="${ask}"`}>
    ${hiddenCsrf(visit)}<input type="hidden" name="word" value="${word}">${inside}</form>`
  return html`<div class="choices">
    ${form(
      'adopt',
      html`<strong>${words.parked.adopt}</strong><small>${words.parked.adoptHint}</small>
      <label class="field"><span>${words.parked.adoptLabel}</span><input name="remote" required maxlength="64" pattern="[\\w\\-]+" autocomplete="off"></label>
      <button class="primary">${words.parked.adoptSubmit}</button>`,
    )}
    ${form('resend', html`<strong>${words.parked.resend}</strong><small>${cost}</small><button>${words.parked.resendSubmit}</button>`, cost)}
    ${form('drop', html`<strong>${words.parked.drop}</strong><small>${words.parked.dropHint}</small><button class="danger">${words.parked.dropSubmit}</button>`)}
  </div>`
}
