import { expectedSeconds, openRequests } from '../../../batches/quote.ts'
import { spendingKinds } from '../../../domain/kind.ts'
import { type BatchStatus, willSpend } from '../../../views/batch-status.ts'
import { type Html, html } from '../../../writing/html.ts'
import { figures, pricedCount, priceText } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import type { Visit } from '../../visit.ts'

/** What the batch will spend and reuse, with the buttons to approve or cancel it. */
export const quotePanel = (visit: Visit, status: BatchStatus, seconds: number): Html => {
  const { labels, format } = visit
  const { batch, kind, rows, total, states, spend } = status
  const rejected = states.rejected ?? 0
  const atMost = willSpend(status)
  return html`<section class="quote" aria-labelledby="quote-title">
    <h2 id="quote-title">${labels.batch.quoteTitle}</h2>
    ${figures([
      { label: labels.batch.quoteRows, value: format.count(rows) },
      ...(total > rows ? [{ label: labels.batch.quoteDocuments, value: format.count(total) }] : []),
      { label: labels.batch.quoteRejected, value: format.count(rejected), tone: rejected > 0 && 'warn' },
      {
        label: labels.batch.quoteReused,
        value: format.count(Math.max(0, total - rejected - spend.expected - spend.elsewhere)),
        tone: 'good',
      },
      ...(spend.elsewhere > 0
        ? [{ label: labels.batch.quoteElsewhere, value: format.count(spend.elsewhere), tone: 'good' as const }]
        : []),
      {
        label: labels.batch.quoteToPay,
        value: format.count(spend.expected),
        hint: priceText(visit, kind, spend.expected),
      },
      { label: labels.batch.quoteTime, value: format.duration(seconds * 1_000) },
    ])}
    ${spend.limit !== null && spend.limit < spend.expected && html`<p>${labels.batch.quoteLimit(format.count(spend.limit))}</p>`}
    ${
      visit.may('ops') &&
      html`<div class="actions">
      ${buttonForm(visit, {
        action: `/batches/${batch}/confirm`,
        label: atMost > 0 ? labels.batch.confirm(pricedCount(visit, kind, atMost)) : labels.batch.confirmFree,
        look: 'primary',
        fields: { atMost: String(atMost) },
      })}
      ${buttonForm(visit, { action: `/batches/${batch}/cancel`, label: labels.batch.cancel, look: 'quiet' })}
    </div>`
    }
  </section>`
}

/** The expected time of a batch that needs approval, computed as on the command line. */
export const readEstimate = ({ site }: Visit, status: BatchStatus): Promise<number> => {
  const { organization: organizationId, kind, workers, open } = status
  const { concurrency, forKind } = site.settings
  return expectedSeconds(site.engine.sql, {
    organizationId,
    kind,
    lookups: spendingKinds.includes(kind) ? willSpend(status) : open,
    bound: openRequests(concurrency, workers),
    firstLookMs: forKind[kind].polling.first,
  })
}
