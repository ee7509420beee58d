import { readStoredFile, readUnderClaim, storeFile } from '../../../batches/stored-file.ts'
import { portfolioKinds } from '../../../domain/portfolio.ts'
import { formatPurpose } from '../../../domain/purpose.ts'
import { term } from '../../../messages/term.ts'
import { perform } from '../../../operations/operation.ts'
import { portfolioOperations } from '../../../operations/portfolios.ts'
import { type Listed, portfolioOrRefuse, syncPortfolio } from '../../../portfolios/keep-portfolio.ts'
import { dropUnneeded } from '../../../store/batches/files.ts'
import { dropUpload, insertUpload, type Upload } from '../../../store/batches/uploads.ts'
import type { Portfolio } from '../../../store/portfolios/portfolios.ts'
import { listChanges } from '../../../views/change.ts'
import {
  differencesOf,
  isPaused,
  listRuns,
  type PortfolioLine,
  type PortfolioRunShown,
  toPortfolioView,
} from '../../../views/portfolio.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { queryText } from '../../address.ts'
import { facts, pricedCount } from '../../parts/facts.ts'
import { buttonForm, hiddenCsrf, optionsOf, organizationSelect, purposeInputs, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'
import { uploadOrRefuse } from '../batches/upload-page.ts'
import { changeBlocks } from '../radars/change-table.ts'

/** The portfolios, and the form to add one. */
export const addPortfoliosPage = ({ page, upload }: Pages): void => {
  page('analyst', '/portfolios', async (visit) => {
    const { labels } = visit
    const { portfolios: lines } = await perform(portfolioOperations.list, visit)
    const body = html`<h1>${labels.shell.portfolios}</h1>
      ${lines.length === 0 ? html`<p class="empty">${labels.portfolios.empty}</p>` : table(visit, lines)}
      ${visit.may('ops') && addForm(visit)}`
    return layout(visit, { title: labels.shell.portfolios, section: 'portfolios', body })
  })
  upload('/portfolios', async (visit, given) => {
    const { name } = await perform(portfolioOperations.add, visit, given)
    return `/portfolios/${encodeURIComponent(name)}?notice=portfolio_added`
  })
}

/** The portfolio that an address names. */
const portfolioIn = ({ request, sql }: Visit): Promise<Portfolio> =>
  portfolioOrRefuse(sql, queryText(request.params, 'portfolio', 80) ?? '')

const table = (visit: Visit, lines: PortfolioLine[]): Html => {
  const { labels } = visit
  const { portfolios: of } = labels
  return html`<section><div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.radars.name}</th><th scope="col">${labels.upload.kind}</th><th scope="col" class="number">${labels.risk.documents}</th>
    <th scope="col">${of.every}</th><th scope="col">${labels.batches.state}</th><th scope="col">${labels.system.next}</th><th scope="col" class="number">${of.spent}</th><th scope="col" class="number">${of.forecast}</th></tr></thead>
    <tbody>${lines.map((line) => row(visit, line))}</tbody></table></div></section>`
}

const row = (visit: Visit, line: PortfolioLine): Html => {
  const { labels, format } = visit
  const { portfolios: of, terms } = labels
  const { name, kind, documents, state, due, month } = line
  return html`<tr><th scope="row"><a href="/portfolios/${encodeURIComponent(name)}">${name}</a></th>
    <td data-label="${labels.upload.kind}">${terms.kinds[kind]}</td><td data-label="${labels.risk.documents}" class="number">${format.count(documents)}</td>
    <td data-label="${of.every}">${everyText(visit, line)}</td><td data-label="${labels.batches.state}">${of.states[state]}</td>
    <td data-label="${labels.system.next}">${due && state !== 'paused' ? format.moment(due) : '–'}</td>
    <td data-label="${of.spent}" class="number">${pricedCount(visit, kind, month.spent)}</td>
    <td data-label="${of.forecast}" class="number">${pricedCount(visit, kind, month.forecast)}</td></tr>`
}

/** In days if the span is a multiple of a day, else in hours, else in minutes. */
const everyText = ({ labels, format }: Visit, { everySeconds }: PortfolioLine): string => {
  const { everyDays, everyHours, everyMinutes } = labels.portfolios
  if (everySeconds % 86_400 === 0) return everyDays(format.count(everySeconds / 86_400))
  if (everySeconds % 3_600 === 0) return everyHours(format.count(everySeconds / 3_600))
  return everyMinutes(format.count(Math.round(everySeconds / 60)))
}

const addForm = (visit: Visit): Html => {
  const { labels } = visit
  return html`<section aria-labelledby="add-title"><h2 id="add-title">${labels.portfolios.add}</h2>
    <form method="post" action="/portfolios" enctype="multipart/form-data">${hiddenCsrf(visit)}<div class="fields">
      <label class="field"><span>${labels.radars.name}</span><input name="name" required maxlength="60" autocomplete="off"></label>
      ${select('kind', labels.upload.kind, optionsOf(portfolioKinds, labels.terms.kinds), 'analysis')}
      <label class="field"><span>${labels.portfolios.everyLabel}</span><input type="number" name="every" min="1" max="400" value="30" required></label>
      ${organizationSelect(visit, labels.terms.subjects.organization)}
      ${purposeInputs(visit)}
      <label class="field"><span>${labels.portfolios.file}</span><input type="file" name="file" accept=".csv,.txt,.xlsx" required></label>
      <button class="primary">${labels.rules.addSubmit}</button></div></form></section>`
}

/** Replaces the list of a portfolio; the documents added and removed are shown before it is used. */
export const addSyncPage = ({ page, action, upload }: Pages): void => {
  upload('/portfolios/:portfolio/sync', async (visit, { file }) => {
    const { name, kind, organizationId } = await portfolioIn(visit)
    const { sql } = visit
    const { id: fileId } = await storeFile(sql, file.bytes)
    const kept = { fileId, kind, fileName: file.name.slice(0, 255), organizationId: Number(organizationId) }
    const whose = { uploadedBy: visit.visitor.name, maxSpend: null, encoding: 'utf8' as const, replaces: null }
    return `${syncAddress(name)}/${await insertUpload(sql, { ...kept, ...whose })}`
  })
  page('ops', '/portfolios/:portfolio/sync/:upload', async (visit) => {
    const { name } = await portfolioIn(visit)
    const upload = await uploadOrRefuse(visit)
    const listed = await sync(visit, name, upload, 'compare')
    const title = visit.labels.portfolios.syncTitle(name)
    const body = html`<p class="eyebrow"><a href="/portfolios/${encodeURIComponent(name)}">${name}</a></p><h1>${title}</h1>
      <section>${difference(visit, listed)}${buttonForm(visit, { action: `${syncAddress(name)}/${upload.id}`, label: visit.labels.portfolios.take, look: 'primary' })}</section>`
    return layout(visit, { title, section: 'portfolios', body })
  })
  action('ops', '/portfolios/:portfolio/sync/:upload', async (visit) => {
    const { name } = await portfolioIn(visit)
    const upload = await uploadOrRefuse(visit)
    const { sql } = visit
    await sync(visit, name, upload)
    await dropUpload(sql, upload.id)
    await dropUnneeded(sql, upload.fileId)
    return `/portfolios/${encodeURIComponent(name)}?notice=portfolio_synced`
  })
}

const sync = ({ visitor, sql, clock }: Visit, name: string, upload: Upload, only?: 'compare'): Promise<Listed> => {
  const open = () => readStoredFile(sql, upload.fileId)
  const who = { by: visitor.name, now: clock() }
  return readUnderClaim(sql, upload, () => syncPortfolio(sql, { name, open, only }, who))
}

const syncAddress = (name: string): string => `/portfolios/${encodeURIComponent(name)}/sync`

const difference = ({ labels, format }: Visit, { documents, added, removed, rejected }: Listed): Html => {
  const some = ({ count, first }: Listed['added']) =>
    html`<strong>${format.count(count)}</strong>${first.map((each) => html` <span class="document">${format.document(each)}</span>`)}${count > first.length && ` ${labels.portfolios.andMore}`}`
  return facts([
    [labels.risk.documents, format.count(documents)],
    [labels.portfolios.added, some(added)],
    [labels.portfolios.removed, some(removed)],
    [labels.portfolios.rejected, rejected > 0 && format.count(rejected)],
  ])
}

/** The form to replace the list, on the page of a portfolio. */
const syncForm = (visit: Visit, name: string): Html => {
  const { portfolios: labels } = visit.labels
  return html`<section aria-labelledby="sync-title"><h2 id="sync-title">${labels.sync}</h2><p>${labels.syncHint}</p>
    <form method="post" action="${syncAddress(name)}" enctype="multipart/form-data">${hiddenCsrf(visit)}<div class="fields">
      <label class="field"><span>${labels.file}</span><input type="file" name="file" accept=".csv,.txt,.xlsx" required></label>
      <button>${labels.syncSubmit}</button></div></form></section>`
}

const shownRuns = 24
const shownChanges = 500

/** One portfolio: its cost, its last runs, and the differences between the last run and the one before. */
export const addPortfolioPage = ({ page, operationForm }: Pages): void => {
  page('analyst', '/portfolios/:portfolio', async (visit) => {
    const { sql } = visit
    const portfolio = await portfolioIn(visit)
    const line = await toPortfolioView(sql, portfolio, { ...visit.settings, now: visit.clock() })
    const { labels, format } = visit
    const prices = visit.settings.budget.unitPrice
    const runs = await listRuns(sql, portfolio, { prices, limit: shownRuns, formatMessage: format.message })
    const body = html`<p class="eyebrow"><a href="/portfolios">${labels.shell.portfolios}</a></p><h1>${line.name}</h1>
      <section>${factsOf(visit, line)}${visit.may('ops') && actions(visit, line)}</section>
      <section aria-labelledby="runs-title"><h2 id="runs-title">${labels.portfolios.runs}</h2>${runTable(visit, runs, line)}</section>
      ${await lastDifferences(visit, runs)}${visit.may('ops') && html`${editForm(visit, line)}${syncForm(visit, line.name)}`}`
    return layout(visit, { title: line.name, section: 'portfolios', body })
  })
  const address = '/portfolios/:portfolio'
  const shown = (notice: string) => (portfolio: { name: string }) => `${addressOf(portfolio.name)}?notice=${notice}`
  const removed = () => '/portfolios?notice=portfolio_removed'
  operationForm(portfolioOperations.pause, `${address}/pause`, shown('portfolio_paused'))
  operationForm(portfolioOperations.resume, `${address}/resume`, shown('portfolio_resumed'))
  operationForm(portfolioOperations.remove, `${address}/remove`, removed)
  operationForm(portfolioOperations.run, `${address}/run`, shown('portfolio_due'))
  const editIn = ({ days, ...form }: Record<string, string>) => ({
    ...{ purpose: '', ...form },
    ...(days && { every: `${days}d` }),
  })
  operationForm(portfolioOperations.edit, `${address}/edit`, shown('portfolio_edited'), editIn)
}

const addressOf = (name: string): string => `/portfolios/${encodeURIComponent(name)}`

const factsOf = (visit: Visit, line: PortfolioLine): Html => {
  const { labels, format } = visit
  const { portfolios: of, terms } = labels
  return facts([
    [labels.upload.kind, terms.kinds[line.kind]],
    [labels.purposes.purpose, line.purpose && formatPurpose(terms.legalBases, line.purpose)],
    [labels.risk.documents, format.count(line.documents)],
    [of.every, everyText(visit, line)],
    [labels.batches.state, of.states[line.state]],
    [labels.system.next, nextText(visit, line)],
    [of.spent, pricedCount(visit, line.kind, line.month.spent)],
    [of.forecast, pricedCount(visit, line.kind, line.month.forecast)],
  ])
}

const nextText = ({ labels, format }: Visit, line: PortfolioLine): string => {
  if (isPaused(line)) return labels.portfolios.whenResumed
  return line.due ? format.moment(line.due) : labels.portfolios.whenDone
}

const actions = (visit: Visit, line: PortfolioLine): Html => {
  const { name } = line
  const { labels } = visit
  const { portfolios: of } = labels
  const verb = isPaused(line) ? 'resume' : 'pause'
  const cost = pricedCount(visit, line.kind, line.documents)
  return html`<div class="actions">${line.state === 'waiting' && buttonForm(visit, { action: `${addressOf(name)}/run`, label: labels.system.run, look: 'primary', ask: of.runAsk(cost) })}
    ${buttonForm(visit, { action: `${addressOf(name)}/${verb}`, label: labels.batch[verb] })}
    ${buttonForm(visit, { action: `${addressOf(name)}/remove`, label: labels.rules.remove, look: 'danger', ask: of.removeAsk(name) })}</div>`
}

const runTable = (visit: Visit, runs: PortfolioRunShown[], { kind }: PortfolioLine): Html => {
  const { portfolios: labels, batches } = visit.labels
  if (runs.length === 0) return html`<p class="empty">${labels.noRuns}</p>`
  return html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.started}</th><th scope="col">${batches.state}</th><th scope="col">${labels.batch}</th>
    <th scope="col" class="number">${labels.cost}</th><th scope="col" class="number">${labels.verified}</th><th scope="col">${labels.differences}</th></tr></thead>
    <tbody>${runs.map((run) => runRow(visit, run, kind))}</tbody></table></div>`
}

const runRow = (visit: Visit, run: PortfolioRunShown, kind: PortfolioLine['kind']): Html => {
  const { labels, format } = visit
  const { portfolios: of } = labels
  const compared = kind === 'analysis' && run.state === 'done' && run.batch !== null && run.before !== null
  return html`<tr><th scope="row">${format.moment(run.started)}</th><td data-label="${labels.batches.state}">${of.runStates[run.state]}</td>
    <td data-label="${of.batch}">${run.batch === null ? '–' : html`<a href="/batches/${run.batch}">${run.batch}</a>`}${compared && html` · <a href="/batches/${run.batch}/compare?with=${run.before}">${labels.risk.compareSubmit}</a>`}</td>
    <td data-label="${of.cost}" class="number">${run.spent === null ? '–' : pricedCount(visit, kind, run.spent)}</td>
    <td data-label="${of.verified}" class="number">${run.state === 'done' ? of.of(format.count(run.verified), format.count(run.documents)) : '–'}</td>
    <td data-label="${of.differences}">${run.reason ?? differences(visit, run)}</td></tr>`
}

const differences = ({ labels, format }: Visit, run: PortfolioRunShown): Part => {
  if (run.state !== 'done') return '–'
  if (run.first) return labels.portfolios.baseline
  const found = differencesOf(run).map(
    ({ verdict, documents }) =>
      html`<span class="badge verdict verdict-${verdict}">${format.count(documents)} ${term(labels.terms.verdicts, verdict)}</span> `,
  )
  return found.length > 0 ? html`${found}` : labels.portfolios.none
}

const lastDifferences = async (visit: Visit, runs: PortfolioRunShown[]): Promise<Part> => {
  const { labels, sql } = visit
  const last = runs.find(({ state }) => state === 'done')
  if (!last) return null
  const changes = last.first ? [] : await listChanges(sql, { sweepId: BigInt(last.sweep), limit: shownChanges })
  return html`<section aria-labelledby="differences-title"><h2 id="differences-title">${labels.portfolios.lastDifferences}</h2>
    ${last.first ? html`<p>${labels.portfolios.firstRun}</p>` : changes.length === 0 ? html`<p class="empty">${labels.changes.empty}</p>` : changeBlocks(visit, changes, { to: 'person' })}</section>`
}

/** The form for the interval, the kind and single documents of a portfolio. */
const editForm = (visit: Visit, { name, kind, everySeconds, purpose }: PortfolioLine): Html => {
  const { portfolios: of, terms, upload } = visit.labels
  const days = everySeconds % 86_400 === 0 ? everySeconds / 86_400 : ''
  const documents = (field: 'add' | 'drop', label: string) =>
    html`<label class="field"><span>${label}</span><input name="${field}" maxlength="4000" autocomplete="off" placeholder="${of.documentsHint}"></label>`
  return html`<section aria-labelledby="edit-title"><h2 id="edit-title">${of.edit}</h2><p class="caption">${of.editHint}</p>
    <form class="filter" method="post" action="${addressOf(name)}/edit">${hiddenCsrf(visit)}
      <label class="field"><span>${of.everyLabel}</span><input type="number" name="days" min="1" max="400" value="${days}"></label>
      ${select('kind', upload.kind, optionsOf(portfolioKinds, terms.kinds), kind)}${purposeInputs(visit, purpose)}${documents('add', of.addDocuments)}${documents('drop', of.dropDocuments)}
      <button class="primary">${of.editSubmit}</button></form></section>`
}
