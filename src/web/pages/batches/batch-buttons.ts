import type { FastifyInstance } from 'fastify'
import { batchOrRefuse } from '../../../batches/batch-or-refuse.ts'
import { readDocument } from '../../../domain/document.ts'
import { batchOperations, quoteRetryOf } from '../../../operations/batches.ts'
import { findRow } from '../../../views/row.ts'
import { html } from '../../../writing/html.ts'
import { idIn, rowAddress } from '../../address.ts'
import { batchName, pricedCount } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { contextOf, type SiteFor } from '../../site/site.ts'
import { action, operationForm, page } from '../../visit.ts'

const done = {
  confirm: 'confirmed',
  pause: 'paused',
  resume: 'resumed',
  cancel: 'cancelled',
  retry: 'retried',
} as const

/** The actions of a batch. A retry shows its cost first. */
export const addBatchButtons = (app: FastifyInstance, siteFor: SiteFor): void => {
  for (const verb of ['confirm', 'pause', 'resume', 'cancel', 'retry'] as const) {
    const next = ({ batch }: { batch: number }) => `/batches/${batch}?notice=${done[verb]}`
    if (verb === 'retry') operationForm(app, siteFor, batchOperations.retry, '/batches/:batch/retry', next)
    else operationForm(app, siteFor, batchOperations[verb], `/batches/:batch/${verb}`, next)
  }
  page(app, siteFor, 'ops', '/batches/:batch/retry', async (visit) => {
    const { labels, format } = visit
    const { batch, quote, toPay, isVain } = await quoteRetryOf(
      contextOf(visit.site, visit.visitor),
      idIn(visit.request.params, 'batch'),
    )
    const body = html`<section><p class="eyebrow">${batchName(visit, batch)}</p><h1>${labels.batch.retryTitle}</h1>
      <p>${labels.batch.retryText(format.count(quote.rows))}</p>
      <p><strong>${toPay > 0 ? labels.batch.retryCost(pricedCount(visit, batch.kind, toPay)) : labels.batches.bulkFree}</strong></p>
      ${toPay < quote.toBePaid && html`<p>${labels.batch.retryBeyond(format.count(quote.toBePaid - toPay))}</p>`}
      <div class="actions">
        ${quote.rows > 0 && !isVain && buttonForm(visit, { action: `/batches/${batch.id}/retry`, label: labels.batch.retrySubmit, look: 'primary', fields: { atMost: String(toPay) } })}
        <a class="button" href="/batches/${batch.id}">${labels.shell.back}</a></div></section>`
    return layout(visit, { title: labels.batch.retryTitle, section: 'batches', body })
  })
  action(app, siteFor, 'analyst', '/batches/:batch/find', async ({ site, request }, { document = '' }) => {
    const id = idIn(request.params, 'batch')
    const readAs = readDocument(document.slice(0, 64))
    const found = 'document' in readAs ? await findRow(site.engine.sql, id, readAs.document.number) : null
    if (!found) return `/batches/${id}?notice=not_found#rows`
    return rowAddress(await batchOrRefuse(site.engine.sql, id), found)
  })
}
