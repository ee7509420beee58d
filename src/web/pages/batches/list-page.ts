import { kinds } from '../../../domain/kind.ts'
import { type Language, languages } from '../../../messages/languages.ts'
import { type BatchLine, listBatchLines } from '../../../views/batch.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { idIn, queryOf, queryText } from '../../address.ts'
import { batchName } from '../../parts/facts.ts'
import { hiddenCsrf, notice, organizationSelect, purposeInputs, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { streamFrames } from '../../parts/live.ts'
import { outcomeBar, stateBadge } from '../../parts/outcomes.ts'
import type { Pages, Visit } from '../../visit.ts'
import { batchFilter, bulkActions, filterOf } from './bulk-actions.ts'
import { rejectedFiles } from './upload-page.ts'

const pageSize = 50

/** The batches, newest first; running ones update by themselves. */
export const addListPage = ({ page }: Pages): void => {
  page('analyst', '/batches', async (visit) => {
    const { labels, request } = visit
    const lines = await readLines(visit)
    const filter = filterOf(visit)
    const body = html`
      <h1 class="visually-hidden">${labels.batches.title}</h1>
      ${notice(visit)}
      ${visit.may('ops') && uploadPanel(visit)}
      ${visit.may('ops') && (await rejectedFiles(visit))}
      <section aria-labelledby="list-title">
        <div class="section-head"><h2 id="list-title">${labels.batches.title}</h2>${batchFilter(visit, filter)}</div>
        ${visit.may('ops') && lines.length > 0 && bulkActions(visit, filter)}
        <div id="batch-list" hx-sse:connect="/batches/live${queryOf({ ...filter, before: queryText(request.query, 'before') })}" hx-swap="innerMorph">
          ${list(visit, lines)}
        </div>
      </section>`
    return layout(visit, { title: labels.batches.title, section: 'batches', body, streams: true })
  })
  page('analyst', '/batches/live', (visit) =>
    streamFrames(visit, async () => ({ shown: list(visit, await readLines(visit)), over: false }), 2_000),
  )
}

const readLines = (visit: Visit): Promise<BatchLine[]> => {
  const { request, site } = visit
  const before = queryText(request.query, 'before') ? idIn(request.query, 'before') : undefined
  return listBatchLines(
    site.engine.sql,
    { ...filterOf(visit), before, limit: pageSize },
    site.settings.budget.unitPrice,
  )
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
    <td data-label="${labels.batches.submitted}"><span class="nowrap">${format.moment(new Date(line.submitted))}</span>
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
  const { labels, format, site } = visit
  return html`<section class="upload" aria-labelledby="upload-title">
  <h2 id="upload-title">${labels.upload.title}</h2>
  <form id="upload" method="post" action="/batches" enctype="multipart/form-data" data-drop-text="${labels.upload.dropNow}" data-sending="${labels.upload.sending}" data-failed="${labels.upload.failed}">
    ${hiddenCsrf(visit)}
    <label class="dropzone"><strong>${labels.upload.drop}</strong>
      <span class="button">${labels.upload.choose}</span>
      <input class="visually-hidden" type="file" name="file" accept=".xlsx,.xlsm,.csv,.txt,.tsv,text/csv" required>
      <output></output>
      <small>${labels.upload.hint(format.bytes(site.settings.web.maxUploadBytes))}</small></label>
    <div class="fields">
      ${select(
        'kind',
        labels.upload.kind,
        kinds.map((value) => ({ value, label: labels.terms.kinds[value] })),
        'analysis',
      )}
      ${organizationSelect(visit, labels.upload.organization)}
      <label class="field"><span>${labels.upload.maxSpend}</span>
        <input type="number" name="maxSpend" min="0" max="2000000000" step="1" inputmode="numeric" placeholder="${labels.upload.maxSpendHint}"></label>
      ${select('format', labels.upload.format, formatsIn(labels), '')}
      ${select('language', labels.upload.language, languagesFrom(site.settings.language), '')}
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
