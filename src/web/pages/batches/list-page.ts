import type { FastifyInstance } from 'fastify'
import { kinds } from '../../../domain/kind.ts'
import { type Language, languages } from '../../../domain/languages.ts'
import { type BatchLine, listBatchLines } from '../../../views/batch.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { idIn, queryOf, queryText } from '../../address.ts'
import { batchName } from '../../parts/facts.ts'
import { notice, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { streamFrames } from '../../parts/live.ts'
import { outcomeBar, stateBadge } from '../../parts/outcome-bar.ts'
import type { SiteFor } from '../../site/site.ts'
import { page, type Visit } from '../../visit.ts'
import { bulkActions } from './bulk-actions.ts'
import { batchFilter, filterOf } from './list-filter.ts'

const pageSize = 50

/** The batches, newest first, with those that run moving by themselves. */
export const addListPage = (app: FastifyInstance, siteFor: SiteFor): void => {
  page(app, siteFor, 'analyst', '/batches', async (visit) => {
    const { words, request } = visit
    const lines = await readLines(visit)
    const filter = filterOf(visit)
    const body = html`
      <h1 class="visually-hidden">${words.batches.title}</h1>
      ${notice(visit)}
      ${visit.may('ops') && uploadPanel(visit)}
      <section aria-labelledby="list-title">
        <div class="section-head"><h2 id="list-title">${words.batches.title}</h2>${batchFilter(visit, filter)}</div>
        ${visit.may('ops') && lines.length > 0 && bulkActions(visit, filter)}
        <div id="batch-list" hx-sse:connect="/batches/live${queryOf({ ...filter, before: queryText(request.query, 'before') })}" hx-swap="innerMorph">
          ${list(visit, lines)}
        </div>
      </section>`
    return layout(visit, { title: words.batches.title, section: 'batches', body, streams: true })
  })
  page(app, siteFor, 'analyst', '/batches/live', (visit) =>
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
  const { words, request } = visit
  const filtered = filterOf(visit).state || filterOf(visit).search || queryText(request.query, 'before')
  if (lines.length === 0) {
    const none = visit.may('ops') ? words.batches.emptyAll : words.batches.emptyYet
    return html`<p class="empty">${filtered ? words.batches.empty : none}</p>`
  }
  const last = lines.length === pageSize && lines.at(-1)
  return html`<div class="table-scroll"><table class="cards">
    <thead><tr><th scope="col">${words.batches.name}</th><th scope="col">${words.batches.state}</th><th scope="col">${words.batches.progress}</th>
      <th scope="col" class="number">${words.batches.rows}</th><th scope="col" class="number">${words.batches.charged}</th><th scope="col">${words.batches.submitted}</th></tr></thead>
    <tbody>${lines.map((line) => row(visit, line))}</tbody></table></div>
    ${last && html`<p><a class="button" href="/batches${queryOf({ ...filterOf(visit), before: last.batch })}">${words.shell.more}</a></p>`}`
}

const row = (visit: Visit, line: BatchLine): Html => {
  const { words, format } = visit
  return html`<tr id="batch-${line.batch}">
    <th scope="row"><a href="/batches/${line.batch}">${batchName(visit, line)}</a>
      <small>${line.batch} · ${words.terms.kinds[line.kind]}</small></th>
    <td data-label="${words.batches.state}">${stateBadge(words, line.shown)}</td>
    <td data-label="${words.batches.progress}" class="progress-cell">${progress(visit, line)}</td>
    <td data-label="${words.batches.rows}" class="number">${format.count(line.rows)}</td>
    <td data-label="${words.batches.charged}" class="number">${format.count(line.charged)}</td>
    <td data-label="${words.batches.submitted}"><span class="nowrap">${format.moment(new Date(line.submitted))}</span>
      ${line.by && html`<small>${words.batches.by} ${line.by}</small>`}</td>
  </tr>`
}

/** Rows that are known or rejected already are no progress of a batch that nobody has let begin. */
const progress = (visit: Visit, { state, states, done, rows }: BatchLine): Part => {
  if (state === 'unconfirmed' || state === 'importing' || rows === 0) return '–'
  return html`${outcomeBar(visit, states, rows)} <small>${visit.format.share(done / rows)}</small>`
}

/** Where a file is handed in; the whole page takes a drop, see public/drop.js. */
const uploadPanel = (visit: Visit): Html => {
  const { words, format, site, visitor } = visit
  const { accounts } = site.engine
  const organizations = accounts.map(({ organizationId, name }) => ({
    value: String(organizationId),
    label: name ?? String(organizationId),
  }))
  return html`<section class="upload" aria-labelledby="upload-title">
  <h2 id="upload-title">${words.upload.title}</h2>
  <form id="upload" method="post" action="/batches" enctype="multipart/form-data" data-drop-text="${words.upload.dropNow}" data-sending="${words.upload.sending}" data-failed="${words.upload.failed}">
    <input type="hidden" name="csrf" value="${visitor.csrf}">
    <label class="dropzone"><strong>${words.upload.drop}</strong>
      <span class="button">${words.upload.choose}</span>
      <input class="visually-hidden" type="file" name="file" accept=".xlsx,.xlsm,.csv,.txt,.tsv,text/csv" required>
      <output></output>
      <small>${words.upload.hint(format.bytes(site.settings.web.maxUploadBytes))}</small></label>
    <div class="fields">
      ${select(
        'kind',
        words.upload.kind,
        kinds.map((value) => ({ value, label: words.terms.kinds[value] })),
        'analysis',
      )}
      ${organizations.length > 1 ? select('organization', words.upload.organization, organizations, organizations[0]?.value ?? '') : null}
      <label class="field"><span>${words.upload.maxSpend}</span>
        <input type="number" name="maxSpend" min="0" max="2000000000" step="1" inputmode="numeric" placeholder="${words.upload.maxSpendHint}"></label>
      ${select('format', words.upload.format, formatsIn(words), '')}
      ${select('language', words.upload.language, languagesFrom(site.settings.language), '')}
      <button class="primary">${words.upload.submit}</button>
    </div>
    <p id="upload-trouble" class="notice bad" role="alert" hidden></p>
    <div id="upload-progress" hidden><progress max="1" value="0" aria-label="${words.upload.sending}"></progress> <span></span></div>
  </form>
</section>`
}

/** That of the settings is nobody's wish: it comes first, and may change before the report is written. */
const languagesFrom = (usual: Language) =>
  Object.entries(languages)
    .map(([value, label]) => ({ value: value === usual ? '' : value, label }))
    .toSorted((a, b) => a.value.length - b.value.length)

const formatsIn = ({ upload }: Visit['words']) => [
  { value: '', label: upload.asItCame },
  { value: 'xlsx', label: upload.workbook },
  { value: 'csv', label: upload.csvOnly },
]
