import { BatchRefusal } from '../../../batches/batch-or-refuse.ts'
import { readUnderClaim } from '../../../batches/read-under-claim.ts'
import { readStoredFile, storeFile } from '../../../batches/stored-file.ts'
import { type Listed, syncPortfolio } from '../../../portfolios/keep-portfolio.ts'
import { dropUnneeded } from '../../../store/batches/files.ts'
import { dropUpload, insertUpload, readUpload, type Upload } from '../../../store/batches/uploads.ts'
import { type Html, html } from '../../../writing/html.ts'
import { idIn } from '../../address.ts'
import { facts } from '../../parts/facts.ts'
import { buttonForm, hiddenCsrf } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'
import { portfolioIn } from './portfolios-page.ts'

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
