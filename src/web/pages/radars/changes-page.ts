import { readOwnNames } from '../../../batches/own-rows.ts'
import { parseAmount } from '../../../domain/amount.ts'
import { classifications } from '../../../domain/classifications.ts'
import { radarVerdicts } from '../../../domain/risk-change.ts'
import type { Message } from '../../../messages/message.ts'
import { everyRule } from '../../../monitoring/rules.ts'
import { listPortfolios } from '../../../store/portfolios/portfolios.ts'
import { type ChangeFilter, listChanges } from '../../../views/change.ts'
import { countUnverified, listNights, type Night } from '../../../views/sweep.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { idIn, queryText } from '../../address.ts'
import { optionsOf, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'
import { acknowledgeForm, changeBlocks, selectedForm } from './change-table.ts'

const shown = 1_000

/** The open changes of the last sweep, worst first; another night of the last 30 days can be chosen. */
export const addChangesPage = ({ page }: Pages): void => {
  page('analyst', '/changes', async (visit) => {
    const { labels, request, sql, clock } = visit
    const nights = await listNights(sql, new Date(clock().getTime() - 31 * 86_400_000))
    const wanted = queryText(request.query, 'sweep') && idIn(request.query, 'sweep')
    const night = nights.find(({ id }) => id === wanted) ?? nights.find(({ state }) => state === 'done') ?? nights[0]
    const body = html`<h1>${labels.shell.changes}</h1>${visit.visitor.organizations === null && html`<p><a href="/rules">${labels.rules.title}</a></p>`}
      ${night ? await nightSection(visit, night) : html`<p class="empty">${labels.changes.emptyAll}</p>`}
      ${
        nights.length > 1 &&
        html`<nav aria-labelledby="earlier-title"><h2 id="earlier-title">${labels.changes.earlier}</h2>
        <ul class="nights">${nights.map((each) => nightLink(visit, each, each === night))}</ul></nav>`
      }`
    return layout(visit, { title: labels.shell.changes, section: 'changes', body })
  })
}

const nightSection = async (visit: Visit, night: Night): Promise<Html> => {
  const { labels, format, sql, settings } = visit
  const changes = await listChanges(sql, { sweepId: night.id, limit: shown, ...changeFilterOf(visit) })
  const portfolios = (await listPortfolios(sql)).map(({ name }) => name)
  const rules = (await everyRule(sql, settings.rules)).map(({ rule }) => rule.name)
  const unverified = night.verified < night.due ? await countUnverified(sql, night.id) : []
  return html`<section aria-labelledby="night-title"><h2 id="night-title">${format.moment(night.startedAt)}</h2>
    <p class="lead">${labels.terms.proof(format.count(night.verified), format.count(night.due), format.count(night.changed))}</p>
    ${night.state === 'running' && html`<p class="busy">${labels.changes.running}</p>`}
    ${notVerified(visit, night, unverified)}
    ${night.changed > 0 && changeFilterForm(visit, { sweep: night.id, portfolios, rules })}
    ${
      changes.length === 0
        ? html`<p class="empty">${night.changed > 0 ? labels.changes.noneMatch : labels.changes.empty}</p>`
        : html`${changes.some(({ acknowledgedAt }) => !acknowledgedAt) && selectedForm(visit)}
      ${changeBlocks(visit, changes, { to: 'radars', ownNames: await readOwnNames(sql, changes) }, acknowledgeForm)}`
    }
    ${night.changed > 0 && html`<p class="actions"><a class="button" href="/changes/${night.id}.csv" download>${labels.risk.csv}</a><a class="button" href="/changes/${night.id}.xlsx" download>${labels.risk.workbook}</a></p>`}</section>`
}

const notVerified = (
  { labels, format }: Visit,
  { due, verified }: Night,
  reasons: { message: Message | null; documents: number }[],
): Part =>
  reasons.length > 0 &&
  html`<div class="notice warn"><p>${labels.changes.unverified(format.count(due - verified))}</p>
    <ul>${reasons.map(({ message, documents }) => html`<li>${message ? format.message(message) : '–'} <strong>${format.count(documents)}</strong></li>`)}</ul></div>`

const nightLink = ({ format }: Visit, { id, startedAt, changed }: Night, current: boolean): Html =>
  html`<li><a href="/changes?sweep=${id}"${current && html` aria-current="true"`}>${format.moment(startedAt).replace(/\/\d{4}/, '')} <strong>${format.count(changed)}</strong></a></li>`

const states = ['open', 'acknowledged', 'all'] as const

/** The filter in the address. Without one, open changes are shown. */
const changeFilterOf = ({ request: { query } }: Visit): ChangeFilter => {
  const state = states.find((each) => each === queryText(query, 'state', 20)) ?? 'open'
  return {
    acknowledged: state === 'all' ? undefined : state === 'acknowledged',
    verdict: queryText(query, 'verdict', 20) || undefined,
    class: queryText(query, 'class', 40) || undefined,
    leastCents: parseAmount(queryText(query, 'amount', 30) ?? '') ?? undefined,
    portfolio: queryText(query, 'portfolio', 200) || undefined,
    rule: queryText(query, 'rule', 200) || undefined,
  }
}

type Choices = { sweep: bigint; portfolios: readonly string[]; rules: readonly string[] }

const changeFilterForm = (visit: Visit, { sweep, portfolios, rules }: Choices): Html => {
  const { labels, request } = visit
  const { acknowledged, verdict, class: of, portfolio, rule } = changeFilterOf(visit)
  const { all } = labels.shell
  const state = acknowledged === undefined ? 'all' : acknowledged ? 'acknowledged' : 'open'
  const fields = { processes: labels.risk.lawsuits, ...labels.terms.classifications }
  return html`<form class="filter" method="get" action="/changes" data-submit-on-change><input type="hidden" name="sweep" value="${sweep}">
    ${select('state', labels.batches.state, optionsOf(states, labels.changes.states), state)}
    ${select('verdict', labels.changes.verdict, optionsOf(radarVerdicts, labels.terms.verdicts, all), verdict ?? '')}
    ${select('class', labels.risk.classification, optionsOf(['processes', ...classifications], fields, all), of ?? '')}
    <label class="field"><span>${labels.risk.leastAmount}</span><input name="amount" inputmode="decimal" maxlength="20" value="${queryText(request.query, 'amount', 30) ?? ''}"></label>
    ${portfolios.length > 0 && select('portfolio', labels.terms.fields.portfolio, optionsOf(portfolios, {}, all), portfolio ?? '')}
    ${rules.length > 0 && select('rule', labels.rules.rule, optionsOf(rules, {}, all), rule ?? '')}
    <button>${labels.shell.search}</button></form>`
}
