import { BatchRefusal } from '../../../batches/batch-or-refuse.ts'
import { readStoredFile, readUnderClaim, storeFile } from '../../../batches/stored-file.ts'
import { portfolioKinds } from '../../../domain/portfolio.ts'
import { perform } from '../../../operations/operation.ts'
import { portfolioOperations } from '../../../operations/portfolios.ts'
import { type Listed, portfolioOrRefuse, syncPortfolio } from '../../../portfolios/keep-portfolio.ts'
import { dropUnneeded } from '../../../store/batches/files.ts'
import { dropUpload, insertUpload, readUpload, type Upload } from '../../../store/batches/uploads.ts'
import type { Portfolio } from '../../../store/portfolios/portfolios.ts'
import type { PortfolioLine } from '../../../views/portfolio.ts'
import { type Html, html } from '../../../writing/html.ts'
import { idIn, queryText } from '../../address.ts'
import { facts, pricedCount } from '../../parts/facts.ts'
import { buttonForm, hiddenCsrf, organizationSelect, purposeInputs, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'

/** The portfolios, and the form to add one. */
export const addPortfoliosPage = ({ page, upload }: Pages): void => {
  page('analyst', '/portfolios', async (visit) => {
    const { labels } = visit
    const context = visit.context
    const { portfolios: lines } = await perform(portfolioOperations.list, context)
    const body = html`<h1>${labels.portfolios.title}</h1>
      ${lines.length === 0 ? html`<p class="empty">${labels.portfolios.empty}</p>` : table(visit, lines)}
      ${visit.may('ops') && addForm(visit)}`
    return layout(visit, { title: labels.portfolios.title, section: 'portfolios', body })
  })
  upload('/portfolios', async ({ context }, given) => {
    const { name } = await perform(portfolioOperations.add, context, given)
    return `/portfolios/${encodeURIComponent(name)}?notice=portfolio_added`
  })
}

/** The portfolio that an address names. */
export const portfolioIn = ({ site, request }: Visit): Promise<Portfolio> =>
  portfolioOrRefuse(site.engine.sql, queryText(request.params, 'portfolio', 80) ?? '')

const table = (visit: Visit, lines: PortfolioLine[]): Html => {
  const { portfolios: labels } = visit.labels
  return html`<section><div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.name}</th><th scope="col">${labels.kind}</th><th scope="col" class="number">${labels.documents}</th>
    <th scope="col">${labels.every}</th><th scope="col">${labels.state}</th><th scope="col">${labels.next}</th><th scope="col" class="number">${labels.spent}</th><th scope="col" class="number">${labels.forecast}</th></tr></thead>
    <tbody>${lines.map((line) => row(visit, line))}</tbody></table></div></section>`
}

const row = (visit: Visit, line: PortfolioLine): Html => {
  const { labels, format } = visit
  const { portfolios: of, terms } = labels
  const { name, kind, documents, state, due, month } = line
  return html`<tr><th scope="row"><a href="/portfolios/${encodeURIComponent(name)}">${name}</a></th>
    <td data-label="${of.kind}">${terms.kinds[kind]}</td><td data-label="${of.documents}" class="number">${format.count(documents)}</td>
    <td data-label="${of.every}">${everyText(visit, line)}</td><td data-label="${of.state}">${of.states[state]}</td>
    <td data-label="${of.next}">${due && state !== 'paused' ? format.moment(new Date(due)) : '–'}</td>
    <td data-label="${of.spent}" class="number">${pricedCount(visit, kind, month.spent)}</td>
    <td data-label="${of.forecast}" class="number">${pricedCount(visit, kind, month.forecast)}</td></tr>`
}

/** In days if the span is a multiple of a day, else in hours, else in minutes. */
export const everyText = ({ labels, format }: Visit, { everySeconds }: PortfolioLine): string => {
  const { everyDays, everyHours, everyMinutes } = labels.portfolios
  if (everySeconds % 86_400 === 0) return everyDays(format.count(everySeconds / 86_400))
  if (everySeconds % 3_600 === 0) return everyHours(format.count(everySeconds / 3_600))
  return everyMinutes(format.count(Math.round(everySeconds / 60)))
}

const addForm = (visit: Visit): Html => {
  const { labels } = visit
  const kinds = portfolioKinds.map((value) => ({ value, label: labels.terms.kinds[value] }))
  return html`<section aria-labelledby="add-title"><h2 id="add-title">${labels.portfolios.add}</h2>
    <form method="post" action="/portfolios" enctype="multipart/form-data">${hiddenCsrf(visit)}<div class="fields">
      <label class="field"><span>${labels.portfolios.name}</span><input name="name" required maxlength="60" autocomplete="off"></label>
      ${select('kind', labels.portfolios.kind, kinds, 'analysis')}
      <label class="field"><span>${labels.portfolios.everyLabel}</span><input type="number" name="every" min="1" max="400" value="30" required></label>
      ${organizationSelect(visit, labels.terms.subjects.organization)}
      ${purposeInputs(visit)}
      <label class="field"><span>${labels.portfolios.file}</span><input type="file" name="file" accept=".csv,.txt,.xlsx" required></label>
      <button class="primary">${labels.portfolios.addSubmit}</button></div></form></section>`
}

/** Replaces the list of a portfolio; the documents added and removed are shown before it is used. */
export const addSyncPage = ({ page, action, upload }: Pages): void => {
  upload('/portfolios/:portfolio/sync', async (visit, { file }) => {
    const { name, kind, organizationId } = await portfolioIn(visit)
    const { sql } = visit.site.engine
    const { id: fileId } = await storeFile(sql, file.bytes)
    const kept = { fileId, kind, fileName: file.name.slice(0, 255), organizationId: Number(organizationId) }
    const whose = { uploadedBy: visit.visitor.name, maxSpend: null, encoding: 'utf8' as const, replaces: null }
    return `${syncAddress(name)}/${await insertUpload(sql, { ...kept, ...whose })}`
  })
  page('ops', '/portfolios/:portfolio/sync/:upload', async (visit) => {
    const { name } = await portfolioIn(visit)
    const upload = await uploadIn(visit)
    const { sql, clock } = visit.site.engine
    const who = { by: visit.visitor.name, now: clock() }
    const open = () => readStoredFile(sql, upload.fileId)
    const listed = await readUnderClaim(sql, upload, () => syncPortfolio(sql, { name, open, only: 'compare' }, who))
    const title = visit.labels.portfolios.syncTitle(name)
    const body = html`<p class="eyebrow"><a href="/portfolios/${encodeURIComponent(name)}">${name}</a></p><h1>${title}</h1>
      <section>${difference(visit, listed)}${buttonForm(visit, { action: `${syncAddress(name)}/${upload.id}`, label: visit.labels.portfolios.take, look: 'primary' })}</section>`
    return layout(visit, { title, section: 'portfolios', body })
  })
  action('ops', '/portfolios/:portfolio/sync/:upload', async (visit) => {
    const { name } = await portfolioIn(visit)
    const { id, fileId } = await uploadIn(visit)
    const { sql, clock } = visit.site.engine
    const who = { by: visit.visitor.name, now: clock() }
    const open = () => readStoredFile(sql, fileId)
    await readUnderClaim(sql, { fileId }, () => syncPortfolio(sql, { name, open }, who))
    await dropUpload(sql, id)
    await dropUnneeded(sql, fileId)
    return `/portfolios/${encodeURIComponent(name)}?notice=portfolio_synced`
  })
}

const syncAddress = (name: string): string => `/portfolios/${encodeURIComponent(name)}/sync`

const uploadIn = async ({ request, site }: Visit): Promise<Upload> => {
  const id = idIn(request.params, 'upload')
  const upload = await readUpload(site.engine.sql, id)
  if (!upload) throw new BatchRefusal(['no_upload', id])
  return upload
}

const difference = ({ labels, format }: Visit, { documents, added, removed, rejected }: Listed): Html => {
  const some = ({ count, first }: Listed['added']) =>
    html`<strong>${format.count(count)}</strong>${first.map((each) => html` <span class="document">${format.document(each)}</span>`)}${count > first.length && ` ${labels.portfolios.andMore}`}`
  return facts([
    [labels.portfolios.documents, format.count(documents)],
    [labels.portfolios.added, some(added)],
    [labels.portfolios.removed, some(removed)],
    [labels.portfolios.rejected, rejected > 0 && format.count(rejected)],
  ])
}

/** The form to replace the list, on the page of a portfolio. */
export const syncForm = (visit: Visit, name: string): Html => {
  const { portfolios: labels } = visit.labels
  return html`<section aria-labelledby="sync-title"><h2 id="sync-title">${labels.sync}</h2><p>${labels.syncHint}</p>
    <form method="post" action="${syncAddress(name)}" enctype="multipart/form-data">${hiddenCsrf(visit)}<div class="fields">
      <label class="field"><span>${labels.file}</span><input type="file" name="file" accept=".csv,.txt,.xlsx" required></label>
      <button>${labels.syncSubmit}</button></div></form></section>`
}
