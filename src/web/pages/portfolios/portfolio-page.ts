import { portfolioKinds } from '../../../domain/portfolio.ts'
import { formatPurpose } from '../../../domain/purpose.ts'
import { term } from '../../../messages/term.ts'
import { portfolioOperations } from '../../../operations/portfolios.ts'
import { listChanges } from '../../../views/change.ts'
import {
  differencesOf,
  forecastTerms,
  isPaused,
  listRuns,
  type PortfolioLine,
  type PortfolioRunShown,
  toPortfolioView,
} from '../../../views/portfolio.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { facts, pricedCount } from '../../parts/facts.ts'
import { buttonForm, hiddenCsrf, purposeInputs, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'
import { changeBlocks } from '../radars/change-table.ts'
import { everyText, portfolioIn, syncForm } from './portfolios-page.ts'

const shownRuns = 24
const shownChanges = 500

/** One portfolio: its cost, its last runs, and the differences between the last run and the one before. */
export const addPortfolioPage = ({ page, operationForm }: Pages): void => {
  page('analyst', '/portfolios/:portfolio', async (visit) => {
    const { sql } = visit.site.engine
    const portfolio = await portfolioIn(visit)
    const line = await toPortfolioView(sql, portfolio, forecastTerms(visit.site.settings, visit.site.engine.clock()))
    const { labels, format } = visit
    const prices = visit.site.settings.budget.unitPrice
    const runs = await listRuns(sql, portfolio, { prices, limit: shownRuns, formatMessage: format.message })
    const body = html`<p class="eyebrow"><a href="/portfolios">${labels.portfolios.title}</a></p><h1>${line.name}</h1>
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
    [of.kind, terms.kinds[line.kind]],
    [labels.purposes.purpose, line.purpose && formatPurpose(terms.legalBases, line.purpose)],
    [of.documents, format.count(line.documents)],
    [of.every, everyText(visit, line)],
    [of.state, of.states[line.state]],
    [of.next, nextText(visit, line)],
    [of.spent, pricedCount(visit, line.kind, line.month.spent)],
    [of.forecast, pricedCount(visit, line.kind, line.month.forecast)],
  ])
}

const nextText = ({ labels, format }: Visit, line: PortfolioLine): string => {
  if (isPaused(line)) return labels.portfolios.whenResumed
  return line.due ? format.moment(new Date(line.due)) : labels.portfolios.whenDone
}

const actions = (visit: Visit, line: PortfolioLine): Html => {
  const { name } = line
  const { portfolios: labels } = visit.labels
  const verb = isPaused(line) ? 'resume' : 'pause'
  const cost = pricedCount(visit, line.kind, line.documents)
  return html`<div class="actions">${line.state === 'waiting' && buttonForm(visit, { action: `${addressOf(name)}/run`, label: labels.run, look: 'primary', ask: labels.runAsk(cost) })}
    ${buttonForm(visit, { action: `${addressOf(name)}/${verb}`, label: labels[verb] })}
    ${buttonForm(visit, { action: `${addressOf(name)}/remove`, label: labels.remove, look: 'danger', ask: labels.removeAsk(name) })}</div>`
}

const runTable = (visit: Visit, runs: PortfolioRunShown[], { kind }: PortfolioLine): Html => {
  const { portfolios: labels } = visit.labels
  if (runs.length === 0) return html`<p class="empty">${labels.noRuns}</p>`
  return html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.started}</th><th scope="col">${labels.state}</th><th scope="col">${labels.batch}</th>
    <th scope="col" class="number">${labels.cost}</th><th scope="col" class="number">${labels.verified}</th><th scope="col">${labels.differences}</th></tr></thead>
    <tbody>${runs.map((run) => runRow(visit, run, kind))}</tbody></table></div>`
}

const runRow = (visit: Visit, run: PortfolioRunShown, kind: PortfolioLine['kind']): Html => {
  const { labels, format } = visit
  const { portfolios: of } = labels
  const compared = kind === 'analysis' && run.state === 'done' && run.batch !== null && run.before !== null
  return html`<tr><th scope="row">${format.moment(new Date(run.started))}</th><td data-label="${of.state}">${of.runStates[run.state]}</td>
    <td data-label="${of.batch}">${run.batch === null ? '–' : html`<a href="/batches/${run.batch}">${run.batch}</a>`}${compared && html` · <a href="/batches/${run.batch}/compare?with=${run.before}">${of.compare}</a>`}</td>
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
  const { labels, site } = visit
  const last = runs.find(({ state }) => state === 'done')
  if (!last) return null
  const changes = last.first
    ? []
    : await listChanges(site.engine.sql, { sweepId: BigInt(last.sweep), limit: shownChanges })
  return html`<section aria-labelledby="differences-title"><h2 id="differences-title">${labels.portfolios.lastDifferences}</h2>
    ${last.first ? html`<p>${labels.portfolios.firstRun}</p>` : changes.length === 0 ? html`<p class="empty">${labels.changes.empty}</p>` : changeBlocks(visit, changes, { to: 'person' })}</section>`
}

/** The form for the interval, the kind and single documents of a portfolio. */
const editForm = (visit: Visit, { name, kind, everySeconds, purpose }: PortfolioLine): Html => {
  const { portfolios: of, terms } = visit.labels
  const kinds = portfolioKinds.map((value) => ({ value, label: terms.kinds[value] }))
  const days = everySeconds % 86_400 === 0 ? everySeconds / 86_400 : ''
  const documents = (field: 'add' | 'drop', label: string) =>
    html`<label class="field"><span>${label}</span><input name="${field}" maxlength="4000" autocomplete="off" placeholder="${of.documentsHint}"></label>`
  return html`<section aria-labelledby="edit-title"><h2 id="edit-title">${of.edit}</h2><p class="caption">${of.editHint}</p>
    <form class="filter" method="post" action="${addressOf(name)}/edit">${hiddenCsrf(visit)}
      <label class="field"><span>${of.everyLabel}</span><input type="number" name="days" min="1" max="400" value="${days}"></label>
      ${select('kind', of.kind, kinds, kind)}${purposeInputs(visit, purpose)}${documents('add', of.addDocuments)}${documents('drop', of.dropDocuments)}
      <button class="primary">${of.editSubmit}</button></form></section>`
}
