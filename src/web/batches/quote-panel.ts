import type { BatchStatus } from '../../batches/status.ts'
import { type Html, html } from '../html.ts'
import { figures } from '../parts/facts.ts'
import { buttonForm } from '../parts/form.ts'
import type { Visit } from '../visit.ts'

/** What the batch will spend and what it reuses, and the two answers to that. */
export const quotePanel = (visit: Visit, { batch, rows, states, spend }: BatchStatus): Html => {
  const { words, format } = visit
  const rejected = states.rejected ?? 0
  const atMost = spend.limit === null ? spend.expected : Math.min(spend.limit, spend.expected)
  return html`<section class="quote" aria-labelledby="quote-title">
    <h2 id="quote-title">${words.batch.quoteTitle}</h2>
    ${figures([
      { label: words.batch.quoteRows, value: format.count(rows) },
      { label: words.batch.quoteRejected, value: format.count(rejected), tone: rejected > 0 && 'warn' },
      {
        label: words.batch.quoteReused,
        value: format.count(Math.max(0, rows - rejected - spend.expected)),
        tone: 'good',
      },
      { label: words.batch.quoteToPay, value: format.count(spend.expected) },
    ])}
    ${spend.limit !== null && spend.limit < spend.expected && html`<p>${words.batch.quoteLimit(format.count(spend.limit))}</p>`}
    ${
      visit.may('ops') &&
      html`<div class="actions">
      ${buttonForm(visit, {
        action: `/batches/${batch}/confirm`,
        label: atMost > 0 ? words.batch.confirm(format.count(atMost)) : words.batch.confirmFree,
        look: 'primary',
      })}
      ${buttonForm(visit, { action: `/batches/${batch}/cancel`, label: words.batch.cancel, look: 'quiet' })}
    </div>`
    }
  </section>`
}
