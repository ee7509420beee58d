import { batchOrRefuse } from '../../../batches/batch-or-refuse.ts'
import { takesAction } from '../../../domain/batch.ts'
import { readDocument } from '../../../domain/document.ts'
import { createMeter, type Pace } from '../../../domain/pace.ts'
import { formatPurpose } from '../../../domain/purpose.ts'
import { batchOperations, quoteRetryOf } from '../../../operations/batches.ts'
import { type BatchStatus, toStatusView } from '../../../views/batch-status.ts'
import { findRow } from '../../../views/row.ts'
import { type Html, html } from '../../../writing/html.ts'
import { idIn, queryOf, queryText, rowAddress } from '../../address.ts'
import { batchName, facts, pricedCount } from '../../parts/facts.ts'
import { buttonForm, type NoticeName, notice, noticeNamed } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { type Frame, streamFrames } from '../../parts/live.ts'
import { outcomeFilter } from '../../parts/outcomes.ts'
import type { Pages, Visit } from '../../visit.ts'
import { filePreview } from './file-preview.ts'
import { headSection, quotePanel, readEstimate } from './head-section.ts'
import { riskPanel } from './risk-page.ts'
import { rowFilterOf, rowsSection } from './rows-section.ts'

/** One batch: its progress, cost, actions and rows. */
export const addBatchPage = ({ page }: Pages): void => {
  page('analyst', '/batches/:batch', async (visit) => {
    const id = idIn(visit.request.params, 'batch')
    const batch = await batchOrRefuse(visit.site.engine.sql, id)
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
    await batchOrRefuse(visit.site.engine.sql, id)
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
  const { engine } = visit.site
  const now = engine.clock()
  const batch = await batchOrRefuse(engine.sql, id)
  const status = await toStatusView(engine.sql, batch, now, visit.format.message)
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

/** The notice of an action is shown until the next action, or until the batch has ended. */
const isTrue = (name: NoticeName | null, { state, times }: BatchStatus): boolean => {
  const states = name && Object.hasOwn(trueWhile, name) && trueWhile[name as keyof typeof trueWhile]
  return states ? !times.finished && states.includes(state) : name !== null
}

/** A paused batch stays paused when it is approved or retried. */
const trueWhile: Record<'confirmed' | 'resumed' | 'retried' | 'paused' | 'cancelled', readonly string[]> = {
  confirmed: ['running', 'paused'],
  resumed: ['running'],
  retried: ['running', 'paused'],
  paused: ['paused'],
  cancelled: ['cancelled'],
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

const noticeAfter = {
  confirm: 'confirmed',
  pause: 'paused',
  resume: 'resumed',
  cancel: 'cancelled',
  retry: 'retried',
} as const

/** The actions of a batch. A retry shows its cost first. */
export const addBatchButtons = ({ page, action, operationForm }: Pages): void => {
  for (const verb of ['confirm', 'pause', 'resume', 'cancel', 'retry'] as const) {
    const next = ({ batch }: { batch: number }) => `/batches/${batch}?notice=${noticeAfter[verb]}`
    if (verb === 'retry') operationForm(batchOperations.retry, '/batches/:batch/retry', next)
    else operationForm(batchOperations[verb], `/batches/:batch/${verb}`, next)
  }
  page('ops', '/batches/:batch/retry', async (visit) => {
    const { labels, format } = visit
    const { batch, quote, toPay, isVain } = await quoteRetryOf(visit.context, idIn(visit.request.params, 'batch'))
    const body = html`<section><p class="eyebrow">${batchName(visit, batch)}</p><h1>${labels.batch.retryTitle}</h1>
      <p>${labels.batch.retryText(format.count(quote.rows))}</p>
      <p><strong>${toPay > 0 ? labels.batch.retryCost(pricedCount(visit, batch.kind, toPay)) : labels.batches.bulkFree}</strong></p>
      ${toPay < quote.toBePaid && html`<p>${labels.batch.retryBeyond(format.count(quote.toBePaid - toPay))}</p>`}
      <div class="actions">
        ${quote.rows > 0 && !isVain && buttonForm(visit, { action: `/batches/${batch.id}/retry`, label: labels.batch.retrySubmit, look: 'primary', fields: { atMost: String(toPay) } })}
        <a class="button" href="/batches/${batch.id}">${labels.shell.back}</a></div></section>`
    return layout(visit, { title: labels.batch.retryTitle, section: 'batches', body })
  })
  action('analyst', '/batches/:batch/find', async ({ site, request }, { document = '' }) => {
    const id = idIn(request.params, 'batch')
    const readAs = readDocument(document.slice(0, 64))
    const found = 'document' in readAs ? await findRow(site.engine.sql, id, readAs.document.number) : null
    if (!found) return `/batches/${id}?notice=not_found#rows`
    return rowAddress(await batchOrRefuse(site.engine.sql, id), found)
  })
}
