import { BatchRefusal } from '../../../batches/batch-or-refuse.ts'
import { kinds } from '../../../domain/kind.ts'
import { type Language, languages } from '../../../messages/languages.ts'
import { batchOperations, quoteRetryOf } from '../../../operations/batches.ts'
import { type Operation, perform, Refusal } from '../../../operations/operation.ts'
import { type BatchLine, listBatchLines, matchingBatches } from '../../../views/batch.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { idIn, queryOf, queryText } from '../../address.ts'
import { batchName } from '../../parts/facts.ts'
import { hiddenCsrf, notice, optionsOf, organizationSelect, purposeInputs, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { streamFrames } from '../../parts/live.ts'
import { outcomeBar, stateBadge } from '../../parts/outcomes.ts'
import type { Pages, Visit } from '../../visit.ts'
import { rejectedFiles } from './upload-page.ts'

const pageSize = 50

/** The batches, newest first; running ones update by themselves. */
export const addListPage = ({ page }: Pages): void => {
  page('analyst', '/batches', async (visit) => {
    const { labels, request } = visit
    const lines = await readLines(visit)
    const filter = filterOf(visit)
    const body = html`
      <h1 class="visually-hidden">${labels.shell.batches}</h1>
      ${notice(visit)}
      ${visit.may('ops') && uploadPanel(visit)}
      ${visit.may('ops') && (await rejectedFiles(visit))}
      <section aria-labelledby="list-title">
        <div class="section-head"><h2 id="list-title">${labels.shell.batches}</h2>${batchFilter(visit, filter)}</div>
        ${visit.may('ops') && lines.length > 0 && bulkActions(visit, filter)}
        <div id="batch-list" hx-sse:connect="/batches/live${queryOf({ ...filter, before: queryText(request.query, 'before') })}" hx-swap="innerMorph">
          ${list(visit, lines)}
        </div>
      </section>`
    return layout(visit, { title: labels.shell.batches, section: 'batches', body, streams: true })
  })
  page('analyst', '/batches/live', (visit) =>
    streamFrames(visit, async () => ({ shown: list(visit, await readLines(visit)), over: false }), 2_000),
  )
}

const readLines = (visit: Visit): Promise<BatchLine[]> => {
  const { request, sql, settings } = visit
  const before = queryText(request.query, 'before') ? idIn(request.query, 'before') : undefined
  return listBatchLines(sql, { ...filterOf(visit), before, limit: pageSize }, settings.budget.unitPrice)
}

const list = (visit: Visit, lines: BatchLine[]): Html => {
  const { labels, request } = visit
  const filtered = filterOf(visit).state || filterOf(visit).search || queryText(request.query, 'before')
  if (lines.length === 0) {
    const none = visit.may('ops') ? labels.batches.emptyAll : labels.batches.emptyYet
    return html`<p class="empty">${filtered ? labels.batches.empty : none}</p>`
  }
  const last = lines.length === pageSize && lines.at(-1)
  return html`<div class="table-scroll"><table class="cards">
    <thead><tr><th scope="col">${labels.batches.name}</th><th scope="col">${labels.batches.state}</th><th scope="col">${labels.batches.progress}</th>
      <th scope="col" class="number">${labels.batches.rows}</th><th scope="col" class="number">${labels.batches.charged}</th><th scope="col">${labels.batches.submitted}</th></tr></thead>
    <tbody>${lines.map((line) => row(visit, line))}</tbody></table></div>
    ${last && html`<p><a class="button" href="/batches${queryOf({ ...filterOf(visit), before: last.batch })}">${labels.shell.more}</a></p>`}`
}

const row = (visit: Visit, line: BatchLine): Html => {
  const { labels, format } = visit
  return html`<tr id="batch-${line.batch}">
    <th scope="row"><a href="/batches/${line.batch}">${batchName(visit, line)}</a>
      <small>${line.batch} · ${labels.terms.kinds[line.kind]}</small></th>
    <td data-label="${labels.batches.state}">${stateBadge(labels, line.shown)}</td>
    <td data-label="${labels.batches.progress}" class="progress-cell">${progress(visit, line)}</td>
    <td data-label="${labels.batches.rows}" class="number">${format.count(line.rows)}</td>
    <td data-label="${labels.batches.charged}" class="number">${format.count(line.charged)}</td>
    <td data-label="${labels.batches.submitted}"><span class="nowrap">${format.moment(line.submitted)}</span>
      ${line.by && html`<small>${labels.batches.by} ${line.by}</small>`}</td>
  </tr>`
}

/**
 * A batch that was not approved shows no progress, although rows may be known or rejected already. Cancelled rows are
 * not done, and a batch of rejected rows has done nothing.
 */
const progress = (visit: Visit, { state, states, done, total }: BatchLine): Part => {
  if (state === 'unconfirmed' || state === 'importing' || total === 0) return '–'
  const share = state === 'rejected' ? 0 : (done - (states.cancelled ?? 0)) / total
  return html`${outcomeBar(visit, states, total)} <small>${visit.format.share(share)}</small>`
}

/** The form to submit a file; a file can be dropped anywhere on the page, see public/drop.js. */
const uploadPanel = (visit: Visit): Html => {
  const { labels, format, settings } = visit
  return html`<section class="upload" aria-labelledby="upload-title">
  <h2 id="upload-title">${labels.upload.title}</h2>
  <form id="upload" method="post" action="/batches" enctype="multipart/form-data" data-drop-text="${labels.upload.dropNow}" data-sending="${labels.upload.sending}" data-failed="${labels.upload.failed}">
    ${hiddenCsrf(visit)}
    <label class="dropzone"><strong>${labels.upload.drop}</strong>
      <span class="button">${labels.upload.choose}</span>
      <input class="visually-hidden" type="file" name="file" accept=".xlsx,.xlsm,.csv,.txt,.tsv,text/csv" required>
      <output></output>
      <small>${labels.upload.hint(format.bytes(settings.web.maxUploadBytes))}</small></label>
    <div class="fields">
      ${select('kind', labels.upload.kind, optionsOf(kinds, labels.terms.kinds), 'analysis')}
      ${organizationSelect(visit, labels.upload.organization)}
      <label class="field"><span>${labels.upload.maxSpend}</span>
        <input type="number" name="maxSpend" min="0" max="2000000000" step="1" inputmode="numeric" placeholder="${labels.upload.maxSpendHint}"></label>
      ${select('format', labels.upload.format, formatsIn(labels), '')}
      ${select('language', labels.upload.language, languagesFrom(settings.language), '')}
      ${purposeInputs(visit)}
      <button class="primary">${labels.upload.submit}</button>
    </div>
    <p id="upload-trouble" class="notice bad" role="alert" hidden></p>
    <div id="upload-progress" hidden><progress max="1" value="0" aria-label="${labels.upload.sending}"></progress> <span></span></div>
  </form>
</section>`
}

/** The language of the settings comes first and has no value, because the settings may change before the report is written. */
const languagesFrom = (usual: Language) =>
  Object.entries(languages)
    .map(([value, label]) => ({ value: value === usual ? '' : value, label }))
    .toSorted((a, b) => a.value.length - b.value.length)

const formatsIn = ({ upload }: Visit['labels']) => [
  { value: '', label: upload.asItCame },
  { value: 'xlsx', label: upload.workbook },
  { value: 'csv', label: upload.csvOnly },
]

/** The actions on many batches at once; approving is not one of them. */
const bulkVerbs = ['pause', 'resume', 'cancel', 'retry'] as const
type BulkVerb = (typeof bulkVerbs)[number]

/** Acts on every batch that matches the filter of the list, after showing which they are and the cost. */
export const addBulkActions = ({ page, action }: Pages): void => {
  page('ops', '/batches/all/:verb', async (visit) => {
    const verb = verbIn(visit)
    const { labels, format } = visit
    const filter = filterOf(visit)
    const batches = await findBatches(visit, verb, filter)
    const cost = verb === 'retry' ? batches.reduce((sum, { cost }) => sum + cost, 0) : 0
    const back = `/batches${queryOf(filter)}`
    const body = html`<section><h1>${labels.batches.bulkTitle[verb]}</h1>
      ${
        batches.length === 0
          ? html`<p class="empty">${labels.batches.bulkNone}</p>`
          : html`
      <p>${labels.batches.bulkCount(format.count(batches.length))}</p>
      <ul class="plain-list">${batches.map((batch) => html`<li><a href="/batches/${batch.id}">${batchName(visit, batch)}</a> <small>${batch.id}</small></li>`)}</ul>
      <p><strong>${cost > 0 ? labels.batches.bulkCost(format.count(cost)) : labels.batches.bulkFree}</strong></p>`
      }
      <form class="actions" method="post" action="/batches/all/${verb}">${hiddenCsrf(visit)}
        <input type="hidden" name="ids" value="${batches.map(({ id, cost }) => `${id}:${cost}`).join(',')}">
        ${batches.length > 0 && html`<button class="primary">${verb === 'retry' ? labels.batch.retrySubmit : labels.batch[verb]}</button>`}
        <a class="button" href="${back}">${labels.shell.back}</a>
      </form></section>`
    return layout(visit, { title: labels.batches.bulkTitle[verb], section: 'batches', body })
  })
  action('ops', '/batches/all/:verb', async (visit, { ids = '' }) => {
    const verb = verbIn(visit)
    let passedBy = 0
    for (const [, id, cost] of ids.matchAll(/\b(\d{1,18}):(\d{1,9})\b/g)) {
      const given = { batch: id, ...(verb === 'retry' && { atMost: cost }) }
      await perform(batchOperations[verb] as Operation, visit, given).catch((error) => {
        ignoreRefusal(error)
        passedBy++
      })
    }
    return passedBy > 0 ? '/batches?notice=passed_by' : '/batches'
  })
}

/** The links above the list. */
const bulkActions = ({ labels }: Visit, filter: ListFilter): Html => html`<details class="bulk">
  <summary>${labels.batches.bulk}</summary>
  <div class="actions">${bulkVerbs.map(
    (verb) => html`<a class="button" href="/batches/all/${verb}${queryOf(filter)}">${labels.batch[verb]}</a>`,
  )}</div></details>`

const verbIn = ({ request }: Visit): BulkVerb => {
  const asked = queryText(request.params, 'verb')
  const verb = bulkVerbs.find((each) => each === asked)
  if (!verb) throw new Refusal(404, 'not_found', 'There is no such action')
  return verb
}

/** For a retry, only batches with rows to retry, and the cost of each. */
const findBatches = async (visit: Visit, verb: BulkVerb, filter: ListFilter) => {
  const found = await matchingBatches(visit.sql, filter, verb)
  if (verb !== 'retry') return found.map((batch) => ({ ...batch, cost: 0 }))
  const quoted = []
  for (const batch of found) {
    const retry = await quoteRetryOf(visit, batch.id).catch(ignoreRefusal)
    if (retry && retry.quote.rows > 0 && !retry.isVain) quoted.push({ ...batch, cost: retry.toPay })
  }
  return quoted
}

/** Skips a batch that has ended, costs more by now, or is still being imported, and continues with the others. */
const ignoreRefusal = (error: unknown): undefined => {
  if (!(error instanceof BatchRefusal)) throw error
}

type ListFilter = { state?: string; search?: string }

const filterOf = ({ request }: Visit): ListFilter => ({
  state: queryText(request.query, 'state', 20),
  search: queryText(request.query, 'search'),
})

const states = ['unconfirmed', 'held', 'running', 'paused', 'done', 'importing', 'cancelled', 'rejected'] as const

/** Search and state; a change of either updates the list, with or without script. */
const batchFilter = ({ labels }: Visit, { state = '', search = '' }: ListFilter): Html => html`
<form class="filter" method="get" action="/batches" role="search" data-submit-on-change>
  <label class="field"><span>${labels.batches.searchLabel}</span><input type="search" name="search" value="${search}" maxlength="100" autocomplete="off"></label>
  ${select('state', labels.batches.state, optionsOf(states, labels.terms.batchStates, labels.shell.all), state)}
  <button>${labels.shell.filter}</button>
</form>`
