import { batchOrRefuse } from '../../../batches/batch-or-refuse.ts'
import { expectedSeconds, openRequests } from '../../../batches/quote.ts'
import { retryableStates } from '../../../batches/retry.ts'
import { type SteeringVerb, takesAction } from '../../../domain/batch.ts'
import { readDocument } from '../../../domain/document.ts'
import { spendingKinds } from '../../../domain/kind.ts'
import { createMeter, type Pace } from '../../../domain/pace.ts'
import { formatPurpose } from '../../../domain/purpose.ts'
import { batchOperations, quoteRetryOf } from '../../../operations/batches.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import { type BatchStatus, toStatusView, willSpend } from '../../../views/batch-status.ts'
import { findRow } from '../../../views/row.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { idIn, queryOf, queryText, rowAddress } from '../../address.ts'
import { batchName, facts, figures, pricedCount, priceText } from '../../parts/facts.ts'
import { buttonForm, type NoticeName, notice, noticeNamed } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { type Frame, streamFrames } from '../../parts/live.ts'
import { outcomeFilter, stateBadge } from '../../parts/outcomes.ts'
import type { Pages, Visit } from '../../visit.ts'
import { filePreview } from './file-preview.ts'
import { riskPanel } from './risk-page.ts'
import { rowFilterOf, rowsSection } from './rows-section.ts'

/** One batch: its progress, cost, actions and rows. */
export const addBatchPage = ({ page }: Pages): void => {
  page('analyst', '/batches/:batch', async (visit) => {
    const id = idIn(visit.request.params, 'batch')
    const batch = await batchOrRefuse(visit.sql, id)
    const { shown, over, started } = await paint(visit, id)
    const following = {
      ...rowFilterOf(visit),
      notice: noticeNamed(visit) ?? undefined,
      started: started ? 'yes' : 'no',
    }
    const live = html` hx-sse:connect="/batches/${id}/live${queryOf(following)}" hx-swap="innerMorph"`
    const body = html`
      <div id="live" class="live"${!over && live}>${shown}</div>
      ${batch.fileId && !started && (await filePreview(visit, batch))}
      ${batch.rejected > 0 && html`<div hx-get="/batches/${id}/rejects" hx-trigger="load"></div>`}
      ${(started || rowFilterOf(visit).outcome || rowFilterOf(visit).name) && (await rowsSection(visit, batch))}
      <section class="facts-section"><h2>${visit.labels.batch.facts}</h2>${batchFacts(visit, batch)}</section>`
    return layout(visit, {
      title: batchName(visit, batch),
      section: 'batches',
      body,
      streams: !over,
      showsNotice: true,
    })
  })
  page('analyst', '/batches/:batch/live', async (visit) => {
    const id = idIn(visit.request.params, 'batch')
    await batchOrRefuse(visit.sql, id)
    const meter = createMeter()
    const began = queryText(visit.request.query, 'started')
    return streamFrames(visit, async () => {
      const { shown, over, started } = await paint(visit, id, meter)
      return { shown, over: over || (began !== undefined && (began === 'yes') !== started) }
    })
  })
}

/**
 * The part that updates by itself. It is over when the report is written or the file was rejected. A page made before the
 * batch started has no rows yet, so its stream is over when the batch starts.
 */
const paint = async (
  visit: Visit,
  id: bigint,
  meter?: ReturnType<typeof createMeter>,
): Promise<Frame & { started: boolean }> => {
  const { sql, clock } = visit
  const now = clock()
  const batch = await batchOrRefuse(sql, id)
  const status = await toStatusView(sql, batch, now, visit.format.message)
  const pace: Pace = meter?.record({ done: status.done, total: status.total, now }) ?? status
  const { outcome } = rowFilterOf(visit)
  const outcomes =
    status.times.started &&
    html`<section aria-labelledby="outcomes-title"><h2 id="outcomes-title">${visit.labels.batch.outcomes}</h2>
      ${outcomeFilter(visit, { counts: status.states, total: status.total, address: `/batches/${id}`, chosen: outcome, bar: status.times.finished !== null })}</section>`
  const quote = takesAction('confirm', batch) ? quotePanel(visit, status, await readEstimate(visit, status)) : null
  const risk = status.kind === 'analysis' && status.times.finished ? await riskPanel(visit, batch) : null
  const refused = status.state === 'rejected' && !status.times.imported
  const over = refused || status.times.exported !== null
  const noticeShown = isTrue(noticeNamed(visit), status) && notice(visit)
  return {
    shown: html`${noticeShown}${headSection(visit, { batch, status, pace, quote, risk })}${outcomes}`,
    over,
    started: isStarted(status),
  }
}

/** A running batch whose cost rises above what was approved needs approval again, but keeps its rows. */
const isStarted = ({ state, times }: BatchStatus): boolean =>
  times.started !== null || !['importing', 'unconfirmed', 'rejected'].includes(state)

/** The notice of each action, and in which states of the batch it is true. A paused batch stays paused when it is approved or retried. */
const notices = {
  confirm: ['confirmed', ['running', 'paused']],
  pause: ['paused', ['paused']],
  resume: ['resumed', ['running']],
  cancel: ['cancelled', ['cancelled']],
  retry: ['retried', ['running', 'paused']],
} as const satisfies Record<SteeringVerb, readonly [NoticeName, readonly string[]]>

/** The notice of an action is shown until the next action, or until the batch has ended. */
const isTrue = (name: NoticeName | null, { state, times }: BatchStatus): boolean => {
  const [, states] = Object.values(notices).find(([each]) => each === name) ?? []
  return states ? !times.finished && states.some((each) => each === state) : name !== null
}

const batchFacts = ({ labels, format }: Visit, batch: Awaited<ReturnType<typeof batchOrRefuse>>): Html => {
  const { startedAt, finishedAt } = batch
  return facts([
    [
      labels.batches.submitted,
      html`${format.moment(batch.createdAt)} ${batch.submittedBy && html`${labels.batches.by} ${batch.submittedBy}`}`,
    ],
    [labels.purposes.purpose, batch.purpose && formatPurpose(labels.terms.legalBases, batch.purpose)],
    [labels.upload.organization, String(batch.organizationId)],
    [labels.batch.took, startedAt && finishedAt && format.duration(finishedAt.getTime() - startedAt.getTime())],
    ['SHA-256', batch.sha256 && html`<code class="wide">${batch.sha256}</code>`],
  ])
}

/** The actions of a batch. A retry shows its cost first. */
export const addBatchButtons = ({ page, action, operationForm }: Pages): void => {
  for (const verb of ['confirm', 'pause', 'resume', 'cancel', 'retry'] as const) {
    const next = ({ batch }: { batch: number }) => `/batches/${batch}?notice=${notices[verb][0]}`
    if (verb === 'retry') operationForm(batchOperations.retry, '/batches/:batch/retry', next)
    else operationForm(batchOperations[verb], `/batches/:batch/${verb}`, next)
  }
  page('ops', '/batches/:batch/retry', async (visit) => {
    const { labels, format } = visit
    const { batch, quote, toPay, isVain } = await quoteRetryOf(visit, idIn(visit.request.params, 'batch'))
    const body = html`<section><p class="eyebrow">${batchName(visit, batch)}</p><h1>${labels.batch.retry}</h1>
      <p>${labels.batch.retryText(format.count(quote.rows))}</p>
      <p><strong>${toPay > 0 ? labels.batch.retryCost(pricedCount(visit, batch.kind, toPay)) : labels.batches.bulkFree}</strong></p>
      ${toPay < quote.toBePaid && html`<p>${labels.batch.retryBeyond(format.count(quote.toBePaid - toPay))}</p>`}
      <div class="actions">
        ${quote.rows > 0 && !isVain && buttonForm(visit, { action: `/batches/${batch.id}/retry`, label: labels.batch.retrySubmit, look: 'primary', fields: { atMost: String(toPay) } })}
        <a class="button" href="/batches/${batch.id}">${labels.shell.back}</a></div></section>`
    return layout(visit, { title: labels.batch.retry, section: 'batches', body })
  })
  action('analyst', '/batches/:batch/find', async ({ sql, request }, { document = '' }) => {
    const id = idIn(request.params, 'batch')
    const readAs = readDocument(document.slice(0, 64))
    const found = 'document' in readAs ? await findRow(sql, id, readAs.document.number) : null
    if (!found) return `/batches/${id}?notice=not_found#rows`
    return rowAddress(await batchOrRefuse(sql, id), found)
  })
}

/** `quote`: the panel of a batch that needs approval. `risk`: that of a finished analysis. */
type Shown = { batch: Batch; status: BatchStatus; quote: Html | null; risk: Html | null }

/** Name, state, progress, figures, and what can be done now. */
const headSection = (visit: Visit, { pace, ...shown }: Shown & { pace: Pace }): Html => {
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
    ${status.times.started && figuresOf(visit, status, status.shown === 'running' ? pace : null)}
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
const figuresOf = (visit: Visit, status: BatchStatus, pace: Pace | null): Html => {
  const { labels, format } = visit
  const { batch: of } = labels
  const { spend, inDoubt, rows, total } = status
  const saved = Math.max(0, total - (status.states.rejected ?? 0) - spend.expected)
  const rate = pace?.ratePerSecond ? of.perSecond(format.count(Math.round(pace.ratePerSecond * 10) / 10)) : '–'
  const hints = [
    spend.limit !== null && of.limit(format.count(spend.limit)),
    spend.charged > 0 && priceText(visit, status.kind, spend.charged),
    spend.open > 0 && of.stillOpen(format.count(spend.open)),
  ]
  return figures([
    pace === null && [labels.batches.rows, format.count(rows)],
    pace === null && total !== rows && [labels.risk.documents, format.count(total)],
    pace !== null && [of.rate, rate],
    pace !== null && [of.eta, pace.etaSeconds === null ? '–' : format.duration(pace.etaSeconds * 1000)],
    [labels.batches.charged, format.count(spend.charged), hints.filter(Boolean).join(' · ')],
    spendingKinds.includes(status.kind) && [of.saved, format.count(saved), of.savedHint, saved > 0 && 'good'],
    [of.unknownOutcomes, format.count(inDoubt), null, inDoubt > 0 && 'bad'],
  ])
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
    ${kind === 'analysis' && html`<a class="button" href="/batches/${batch}/risk">${labels.risk.title}</a>`}
    ${!times.finished && html`<small>${labels.batch.partial}</small>`}</span>`
}

/** What the batch will spend and reuse, with the buttons to approve or cancel it. */
const quotePanel = (visit: Visit, status: BatchStatus, seconds: number): Html => {
  const { labels, format } = visit
  const { batch: of } = labels
  const { batch, kind, rows, total, states, spend } = status
  const rejected = states.rejected ?? 0
  const atMost = willSpend(status)
  return html`<section class="quote" aria-labelledby="quote-title">
    <h2 id="quote-title">${of.quoteTitle}</h2>
    ${figures([
      [of.quoteRows, format.count(rows)],
      total > rows && [labels.risk.documents, format.count(total)],
      [of.quoteRejected, format.count(rejected), null, rejected > 0 && 'warn'],
      [of.quoteReused, format.count(Math.max(0, total - rejected - spend.expected - spend.elsewhere)), null, 'good'],
      spend.elsewhere > 0 && [of.quoteElsewhere, format.count(spend.elsewhere), null, 'good'],
      [of.quoteToPay, format.count(spend.expected), priceText(visit, kind, spend.expected)],
      [of.quoteTime, format.duration(seconds * 1_000)],
    ])}
    ${spend.limit !== null && spend.limit < spend.expected && html`<p>${of.quoteLimit(format.count(spend.limit))}</p>`}
    ${
      visit.may('ops') &&
      html`<div class="actions">
      ${buttonForm(visit, {
        action: `/batches/${batch}/confirm`,
        label: atMost > 0 ? of.confirm(pricedCount(visit, kind, atMost)) : of.confirmFree,
        look: 'primary',
        fields: { atMost: String(atMost) },
      })}
      ${buttonForm(visit, { action: `/batches/${batch}/cancel`, label: of.cancel, look: 'quiet' })}
    </div>`
    }
  </section>`
}

/** The expected time of a batch that needs approval, computed as on the command line. */
const readEstimate = ({ sql, settings }: Visit, status: BatchStatus): Promise<number> => {
  const { organization: organizationId, kind, workers, open } = status
  const { concurrency, forKind } = settings
  return expectedSeconds(sql, {
    organizationId,
    kind,
    lookups: spendingKinds.includes(kind) ? willSpend(status) : open,
    bound: openRequests(concurrency, workers),
    firstLookMs: forKind[kind].polling.first,
  })
}
