import type { FastifyInstance } from 'fastify'
import { changeOperations } from '../../../operations/radars.ts'
import { type Html, html } from '../../../writing/html.ts'
import { hiddenCsrf } from '../../parts/form.ts'
import type { SiteFor } from '../../site/site.ts'
import { operationForm, type Visit } from '../../visit.ts'

export const acknowledgeForm = 'acknowledge'

/** The form of the changes that are selected on the page, which are fields of it wherever they stand. */
export const selectedForm = (visit: Visit): Html =>
  html`<form id="${acknowledgeForm}" class="filter selected" method="post" action="/changes/acknowledge">${hiddenCsrf(visit)}
    <strong>${visit.labels.changes.selected}</strong>${fields(visit)}</form>`

/** The form of one change. */
export const changeForm = (visit: Visit, id: bigint): Html =>
  html`<details><summary>${visit.labels.changes.acknowledgeTitle}</summary><form class="filter" method="post" action="/changes/acknowledge">${hiddenCsrf(visit)}
    <input type="hidden" name="changes-${id}" value="${id}">${fields(visit)}</form></details>`

const fields = ({ labels: { changes } }: Visit): Html =>
  html`<label class="field"><span>${changes.note}</span><input name="note" maxlength="500" required></label>
    <button class="primary">${changes.acknowledge}</button><button name="for" value="7d">${changes.snooze('7')}</button><button name="for" value="30d">${changes.snooze('30')}</button>`

/** Acknowledges or snoozes the selected changes. */
export const addAcknowledgement = (app: FastifyInstance, siteFor: SiteFor): void =>
  operationForm(
    app,
    siteFor,
    changeOperations.acknowledgeSeveral,
    '/changes/acknowledge',
    () => '/changes?notice=acknowledged',
    (form) => ({
      note: form.note,
      ...(form.for && { for: form.for }),
      changes: Object.entries(form).flatMap(([name, ids]) => (name.startsWith('changes-') ? ids.split(',') : [])),
    }),
  )
