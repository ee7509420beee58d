import type { FastifyInstance } from 'fastify'
import { personOperations } from '../../../operations/person.ts'
import { type Html, html } from '../../../writing/html.ts'
import { hiddenCsrf } from '../../parts/form.ts'
import type { SiteFor } from '../../site/site.ts'
import { operationForm, type Visit } from '../../visit.ts'

/** The form with which an administrator erases a person; the accounting stays. */
export const eraseSection = (visit: Visit): Html => {
  const { system } = visit.labels
  return html`<section aria-labelledby="erase-title"><h2 id="erase-title">${system.erase}</h2><p>${system.eraseHint}</p>
    <form class="filter" method="post" action="/system/erase" data-ask="${system.eraseAsk}">${hiddenCsrf(visit)}
      <label class="field"><span>${visit.labels.rows.document}</span><input name="document" required maxlength="30" autocomplete="off" placeholder="${visit.labels.rows.findHint}"></label>
      <button class="danger">${system.eraseSubmit}</button></form></section>`
}

export const addErase = (app: FastifyInstance, siteFor: SiteFor): void =>
  operationForm(app, siteFor, personOperations.erase, '/system/erase', () => '/system?notice=erased')
