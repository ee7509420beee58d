import type { FastifyInstance } from 'fastify'
import { term } from '../../../domain/terms/term.ts'
import { pauseRuns, removePortfolio, resumeRuns } from '../../../portfolios/keep-portfolio.ts'
import { listChanges } from '../../../views/change.ts'
import {
  differencesOf,
  isPaused,
  listRuns,
  type PortfolioLine,
  type PortfolioRunShown,
  tellPortfolio,
} from '../../../views/portfolio.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { forecastTermsOf, portfolioIn } from '../../actions/portfolio.ts'
import { facts, pricedCount } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { SiteFor } from '../../site/site.ts'
import { action, page, type Visit } from '../../visit.ts'
import { changeTable } from '../radars/change-table.ts'
import { everyText } from './portfolios-page.ts'
import { syncForm } from './sync-page.ts'

const shownRuns = 24
const shownChanges = 500

/** One list that repeats: what it costs, its last runs, and what the last one told otherwise than the one before. */
export const addPortfolioPage = (app: FastifyInstance, siteFor: SiteFor, secret: Buffer): void => {
  page(app, siteFor, 'analyst', '/portfolios/:portfolio', async (visit) => {
    const { sql } = visit.site.engine
    const portfolio = await portfolioIn(visit.site, visit.request.params)
    const line = await tellPortfolio(sql, portfolio, forecastTermsOf(visit.site))
    const { words, format } = visit
    const prices = visit.site.settings.budget.unitPrice
    const runs = await listRuns(sql, portfolio, { prices, limit: shownRuns, tell: format.told })
    const body = html`<p class="eyebrow"><a href="/portfolios">${words.portfolios.title}</a></p><h1>${line.name}</h1>
      <section>${factsOf(visit, line)}${visit.may('ops') && actions(visit, line)}</section>
      <section aria-labelledby="runs-title"><h2 id="runs-title">${words.portfolios.runs}</h2>${runTable(visit, runs, line)}</section>
      ${await lastDifferences(visit, runs, secret)}${visit.may('ops') && syncForm(visit, line.name)}`
    return layout(visit, { title: line.name, section: 'portfolios', body })
  })
  addActions(app, siteFor)
}

const addActions = (app: FastifyInstance, siteFor: SiteFor): void => {
  const deeds = { pause: pauseRuns, resume: resumeRuns, remove: removePortfolio }
  const notices = { pause: 'portfolio_paused', resume: 'portfolio_resumed', remove: 'portfolio_removed' }
  for (const deed of ['pause', 'resume', 'remove'] as const) {
    action(app, siteFor, 'ops', `/portfolios/:portfolio/${deed}`, async ({ site, request, visitor }) => {
      const { sql, clock } = site.engine
      const { name } = await portfolioIn(site, request.params)
      await deeds[deed](sql, name, { by: visitor.name, now: clock() })
      const to = deed === 'remove' ? '/portfolios' : addressOf(name)
      return `${to}?notice=${notices[deed]}`
    })
  }
}

const addressOf = (name: string): string => `/portfolios/${encodeURIComponent(name)}`

const factsOf = (visit: Visit, line: PortfolioLine): Html => {
  const { words, format } = visit
  const { portfolios: of, terms } = words
  return facts([
    [of.kind, terms.kinds[line.kind]],
    [of.documents, format.count(line.documents)],
    [of.every, everyText(visit, line)],
    [of.state, of.states[line.state]],
    [of.next, nextText(visit, line)],
    [of.spent, pricedCount(visit, line.kind, line.month.spent)],
    [of.forecast, pricedCount(visit, line.kind, line.month.forecast)],
  ])
}

const nextText = ({ words, format }: Visit, line: PortfolioLine): string => {
  if (isPaused(line)) return words.portfolios.whenResumed
  return line.due ? format.moment(new Date(line.due)) : words.portfolios.whenDone
}

const actions = (visit: Visit, line: PortfolioLine): Html => {
  const { name } = line
  const { portfolios: words } = visit.words
  const deed = isPaused(line) ? 'resume' : 'pause'
  return html`<div class="actions">${buttonForm(visit, { action: `${addressOf(name)}/${deed}`, label: words[deed] })}
    ${buttonForm(visit, { action: `${addressOf(name)}/remove`, label: words.remove, look: 'danger', ask: words.removeAsk(name) })}</div>`
}

const runTable = (visit: Visit, runs: PortfolioRunShown[], { kind }: PortfolioLine): Html => {
  const { portfolios: words } = visit.words
  if (runs.length === 0) return html`<p class="empty">${words.noRuns}</p>`
  return html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.started}</th><th scope="col">${words.state}</th><th scope="col">${words.batch}</th>
    <th scope="col" class="number">${words.cost}</th><th scope="col" class="number">${words.verified}</th><th scope="col">${words.differences}</th></tr></thead>
    <tbody>${runs.map((run) => runRow(visit, run, kind))}</tbody></table></div>`
}

const runRow = (visit: Visit, run: PortfolioRunShown, kind: PortfolioLine['kind']): Html => {
  const { words, format } = visit
  const { portfolios: of } = words
  const compared = kind === 'analysis' && run.state === 'done' && run.batch !== null && run.before !== null
  return html`<tr><th scope="row">${format.moment(new Date(run.started))}</th><td data-label="${of.state}">${of.runStates[run.state]}</td>
    <td data-label="${of.batch}">${run.batch === null ? '–' : html`<a href="/batches/${run.batch}">${run.batch}</a>`}${compared && html` · <a href="/batches/${run.batch}/compare?with=${run.before}">${of.compare}</a>`}</td>
    <td data-label="${of.cost}" class="number">${run.spent === null ? '–' : pricedCount(visit, kind, run.spent)}</td>
    <td data-label="${of.verified}" class="number">${run.state === 'done' ? of.of(format.count(run.verified), format.count(run.documents)) : '–'}</td>
    <td data-label="${of.differences}">${run.reason ?? differences(visit, run)}</td></tr>`
}

const differences = ({ words, format }: Visit, run: PortfolioRunShown): Part => {
  if (run.state !== 'done') return '–'
  const found = differencesOf(run).map(
    ({ verdict, documents }) =>
      html`<span class="badge verdict verdict-${verdict}">${format.count(documents)} ${term(words.terms.verdicts, verdict)}</span> `,
  )
  return found.length > 0 ? html`${found}` : words.portfolios.none
}

const lastDifferences = async (visit: Visit, runs: PortfolioRunShown[], secret: Buffer): Promise<Part> => {
  const { words, site } = visit
  const last = runs.find(({ state }) => state === 'done')
  if (!last) return null
  const changes = await listChanges(site.engine.sql, { sweepId: BigInt(last.sweep), limit: shownChanges })
  return html`<section aria-labelledby="differences-title"><h2 id="differences-title">${words.portfolios.lastDifferences}</h2>
    ${last.first && html`<p class="small">${words.portfolios.firstRun}</p>`}
    ${changes.length === 0 ? html`<p class="empty">${words.changes.empty}</p>` : changeTable(visit, changes, { secret, to: 'person' })}</section>`
}
