import { expectedSeconds, openRequests } from '../../../batches/quote.ts'
import { retryableStates } from '../../../batches/retry.ts'
import { type SteeringVerb, takesAction } from '../../../domain/batch.ts'
import { spendingKinds } from '../../../domain/kind.ts'
import type { Pace } from '../../../domain/pace.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import { type BatchStatus, willSpend } from '../../../views/batch-status.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { batchName, figures, pricedCount, priceText } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import { stateBadge } from '../../parts/outcomes.ts'
import type { Visit } from '../../visit.ts'

/** `quote`: the panel of a batch that needs approval. `risk`: that of a finished analysis. */
type Shown = { batch: Batch; status: BatchStatus; quote: Html | null; risk: Html | null }

/** Name, state, progress, figures, and what can be done now. */
export const headSection = (visit: Visit, { pace, ...shown }: Shown & { pace: Pace }): Html => {
  const { status, quote, risk } = shown
  const { labels, format } = visit
  return html`<div class="batch-head">
    <p class="eyebrow">${labels.batch.number(String(status.batch))} · ${labels.terms.kinds[status.kind]}</p>
    <div class="title-line"><h1>${batchName(visit, status)}</h1>${stateBadge(labels, status.shown)}</div>
    ${status.problem && html`<div class="notice ${status.times.imported ? 'warn' : 'bad'}"><strong>${labels.batch.problem}</strong><p>${status.problem}</p></div>`}
    ${status.shown === 'held' && status.hold && html`<p class="held-by">${labels.batch.heldBy(labels.terms.causes[status.hold.cause])}</p>`}
    ${status.state === 'importing' && html`<p class="busy">${labels.batch.importing(format.count(status.rows))}</p>`}
    ${quote}${risk}
    ${status.times.started && !status.times.finished && progress(visit, status)}
    ${status.times.started && figures(figuresOf(visit, status, status.shown === 'running' ? pace : null))}
    <div class="actions">${actions(visit, shown)}${downloads(visit, status)}</div>
  </div>`
}

/** A screen reader announces every tenth, because the text does not change in between. */
const progress = ({ labels, format }: Visit, { done, total }: BatchStatus): Html => {
  const share = total > 0 ? done / total : 1
  const tenth = Math.floor(share * 10) / 10
  return html`<div class="progress"><progress max="${Math.max(1, total)}" value="${done}" aria-label="${labels.batches.progress}"></progress>
    <span>${format.count(done)} / ${format.count(total)} · ${format.share(Math.floor(share * 1000) / 1000)}</span>
    <span class="visually-hidden" role="status">${labels.batch.percentDone(format.share(tenth))}</span></div>`
}

/** A batch that is paused or held has no pace: the one before does not predict when it ends. */
const figuresOf = (visit: Visit, status: BatchStatus, pace: Pace | null) => {
  const { labels, format } = visit
  const { spend, inDoubt } = status
  const saved = Math.max(0, status.total - (status.states.rejected ?? 0) - spend.expected)
  const eta =
    pace?.etaSeconds === null || pace?.etaSeconds === undefined ? '–' : format.duration(pace.etaSeconds * 1000)
  const rate = pace?.ratePerSecond
    ? labels.batch.perSecond(format.count(Math.round(pace.ratePerSecond * 10) / 10))
    : '–'
  const hints = [
    spend.limit !== null && labels.batch.limit(format.count(spend.limit)),
    spend.charged > 0 && priceText(visit, status.kind, spend.charged),
    spend.open > 0 && labels.batch.stillOpen(format.count(spend.open)),
  ]
  return [
    ...(pace ? [] : [{ label: labels.batches.rows, value: format.count(status.rows) }]),
    ...(pace || status.total === status.rows
      ? []
      : [{ label: labels.batch.quoteDocuments, value: format.count(status.total) }]),
    ...(pace
      ? [
          { label: labels.batch.rate, value: rate },
          { label: labels.batch.eta, value: eta },
        ]
      : []),
    { label: labels.batch.charged, value: format.count(spend.charged), hint: hints.filter(Boolean).join(' · ') },
    ...(spendingKinds.includes(status.kind)
      ? [
          {
            label: labels.batch.saved,
            value: format.count(saved),
            hint: labels.batch.savedHint,
            tone: saved > 0 && ('good' as const),
          },
        ]
      : []),
    { label: labels.batch.unknownOutcomes, value: format.count(inDoubt), tone: inDoubt > 0 && ('bad' as const) },
  ]
}

const actions = (visit: Visit, { batch, status: { states }, quote }: Shown): Part => {
  if (!visit.may('ops')) return null
  const { batch: labels } = visit.labels
  const to = (verb: string) => `/batches/${batch.id}/${verb}`
  // The actions of a batch that needs approval are in its quote panel.
  const offers = (verb: SteeringVerb) => (quote === null || verb === 'resume') && takesAction(verb, batch)
  const failed = retryableStates.some((each) => (states[each] ?? 0) > 0)
  return [
    offers('pause') && buttonForm(visit, { action: to('pause'), label: labels.pause }),
    offers('resume') && buttonForm(visit, { action: to('resume'), label: labels.resume, look: 'primary' }),
    offers('cancel') &&
      buttonForm(visit, { action: to('cancel'), label: labels.cancel, look: 'danger', ask: labels.cancelAsk }),
    offers('retry') && failed && html`<a class="button" href="${to('retry')}">${labels.retry}</a>`,
  ]
}

const downloads = ({ labels }: Visit, { batch, state, times, kind, states }: BatchStatus): Part => {
  if (!times.started) return null
  const to = (what: string) => `/batches/${batch}/files/${what}?language=${labels.language}`
  const look = times.finished && state !== 'rejected' ? 'primary' : ''
  return html`<span class="downloads" role="group" aria-label="${labels.batch.downloads}">
    <a class="button ${look}" href="${to('workbook')}" download>${labels.batch.workbook}</a>
    <a class="button" href="${to('report')}" download>${labels.batch.report}</a>
    ${(states.rejected ?? 0) > 0 && html`<a class="button" href="${to('rejects')}" download>${labels.batch.rejects}</a>`}
    <a class="button" href="${to('manifest')}" download>${labels.batch.manifest}</a>
    ${kind === 'analysis' && html`<a class="button" href="/batches/${batch}/risk">${labels.batch.risk}</a>`}
    ${!times.finished && html`<small>${labels.batch.partial}</small>`}</span>`
}

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
