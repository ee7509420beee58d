import { localDay } from '../../../domain/calendar.ts'
import { CallFailure } from '../../../domain/call-failure.ts'
import { term } from '../../../messages/term.ts'
import { perform } from '../../../operations/operation.ts'
import { roleOfSweep, sweepFor, sweepOperations } from '../../../operations/sweeps.ts'
import { listQueues } from '../../../queue/boss-tables.ts'
import { listWorkers } from '../../../store/fleet/workers.ts'
import { lastSweeps } from '../../../store/radars/sweeps.ts'
import { type SweepShown, toSweepsView } from '../../../views/sweep.ts'
import {
  type ContradictionShown,
  listContradictions,
  listSpending,
  listUsage,
  readPlans,
  readToday,
  type UsageShown,
} from '../../../views/usage.ts'
import { type Html, html, json, type Part } from '../../../writing/html.ts'
import { queryOf } from '../../address.ts'
import { pairFacts } from '../../parts/answer-panel.ts'
import { facts, pricedCount } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'

const days = 30
const day = 86_400_000

/** Today against the budget, the last 30 days as a plot, and the registry's charges. */
export const spendingSection = async (visit: Visit): Promise<Html> => {
  const { labels, format, sql, clock, settings } = visit
  const reportedUsage = usageTable(visit, await listUsage(sql, { limit: 14, prices: null }))
  const today = await readToday(sql, clock(), settings)
  const contradicted = contradictedList(
    visit,
    await listContradictions(sql, { limit: 50, freshMs: settings.forKind.analysis.freshness }),
  )
  const plans = plansTable(visit, await readPlans(sql))
  if (!today) return html`${contradicted}${plans}${reportedUsage && html`<section>${reportedUsage}</section>`}`
  const { spent, budget: perDay } = today
  const text =
    perDay === null
      ? labels.system.usageFree(format.count(spent))
      : labels.system.usageOf(format.count(spent), format.count(perDay))
  return html`<section aria-labelledby="usage-title"><h2 id="usage-title">${labels.system.usage}</h2>
    <p><strong>${labels.system.usageToday}:</strong> ${text}</p>
    ${perDay !== null && html`<progress class="budget" max="${Math.max(1, perDay)}" value="${spent}" aria-label="${labels.system.usage}"></progress>`}
    ${await spendingPlot(visit)}
    ${contradicted}${plans}${reportedUsage}</section>`
}

const spendingPlot = async ({ labels, format, sql, clock, settings }: Visit): Promise<Html> => {
  const now = clock().getTime()
  const names = [...Array(days).keys()].map((back) =>
    localDay(new Date(now - (days - 1 - back) * day), settings.timezone),
  )
  const units = new Map((await listSpending(sql, names[0] as string)).map((each) => [each.day, each.units]))
  const values = names.map((name) => units.get(name) ?? 0)
  const short = names.map((name) => format.day(name).slice(0, 5))
  return timesPlot(labels.system.usagePlot, { labels: short, unit: 'count', values })
}

type Plotted = { labels: string[]; unit: string; values: (number | null)[] }

/** A bar for each day or minute. */
export const timesPlot = (label: string, plotted: Plotted): Html => html`<p class="caption">${label}</p>
  <div class="plot times" hx-morph-skip-children data-plot="${json({ kind: 'times', ...plotted })}" role="img" aria-label="${label}"></div>`

const usageTable = ({ labels, format }: Visit, lines: UsageShown[]): Part =>
  lines.length > 0 &&
  html`<h3 id="reported-title">${labels.system.reportedUsage}</h3><div class="table-scroll" tabindex="0" role="region" aria-labelledby="reported-title"><table><thead><tr><th scope="col">${labels.system.reportedDay}</th><th scope="col">${labels.upload.organization}</th><th scope="col" class="number">${labels.system.reportedBy}</th>
    <th scope="col" class="number">${labels.system.recorded}</th><th scope="col" class="number">${labels.system.difference}</th></tr></thead>
    <tbody>${lines.map(
      ({ day: on, organization, told, recorded, difference }) =>
        html`<tr><th scope="row">${format.day(on)}</th><td>${organization}</td><td class="number">${format.count(told)}</td>
      <td class="number">${format.count(recorded)}</td><td class="number">${difference === 0 ? '0' : html`<strong>${format.count(difference)}</strong>`}</td></tr>`,
    )}</tbody></table></div>`

const contradictedList = ({ labels, format }: Visit, found: ContradictionShown[]): Part =>
  found.length > 0 &&
  html`<h3>${labels.system.contradicted}</h3><ul class="plain-list">${found.map(
    ({ document, bought, owned, foundAt }) =>
      html`<li><span class="document">${document}</span> ${labels.system.boughtOwned(format.text(bought ?? '–'), format.text(owned))} <small>${format.moment(foundAt)}</small></li>`,
  )}</ul>`

/** What each plan consumed by the last usage sweep, and what is left where the list shows it. */
const plansTable = (visit: Visit, read: Awaited<ReturnType<typeof readPlans>>): Part => {
  if (!read) return null
  const { labels, format } = visit
  const left = read.organizations.flatMap((each) => each.left ?? [])
  return html`<h3 id="plans-title">${labels.system.plans}</h3><p class="caption">${labels.system.plansRead(format.moment(read.readAt))}</p>
    <div class="table-scroll" tabindex="0" role="region" aria-labelledby="plans-title"><table><thead><tr><th scope="col">${labels.answer.plan}</th><th scope="col">${labels.upload.organization}</th><th scope="col" class="number">${labels.system.consumed}</th></tr></thead>
    <tbody>${read.organizations.flatMap(({ organization, plans }) =>
      plans.map(
        ({ plan, consumed }) =>
          html`<tr><th scope="row">${format.text(plan)}</th><td>${organization}</td><td class="number">${format.count(consumed)}</td></tr>`,
      ),
    )}</tbody></table></div>
    ${read.organizations.some(({ complete }) => !complete) && html`<p class="quiet-text">${labels.system.listPartial}</p>`}
    ${left.length > 0 ? html`<p>${labels.system.left}</p>${facts(pairFacts(visit, left))}` : html`<p class="quiet-text">${labels.system.leftUnknown}</p>`}`
}

/** The workers, their shares of the limit and their last heartbeats. */
export const workersSection = async ({ labels, format, sql, clock, settings }: Visit): Promise<Html> => {
  const workers = await listWorkers(sql)
  const assigned = workers.reduce((sum, { share }) => sum + share, 0)
  const now = clock().getTime()
  return html`<section aria-labelledby="workers-title"><h2 id="workers-title">${labels.system.workers}</h2>
    <p>${labels.system.bound(format.count(assigned), format.count(settings.concurrency.fleet))}</p>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.system.host}</th><th scope="col" class="number">${labels.system.share}</th><th scope="col" class="number">${labels.system.open}</th><th scope="col">${labels.system.heartbeat}</th></tr></thead>
    <tbody>${workers.map(
      ({ host, pid, share, open, heartbeatAt }) => html`<tr><th scope="row">${host} <small>${pid}</small></th>
      <td data-label="${labels.system.share}" class="number">${format.count(share)}</td><td data-label="${labels.system.open}" class="number">${format.count(open)}</td><td data-label="${labels.system.heartbeat}">${format.duration(now - heartbeatAt.getTime())}</td></tr>`,
    )}</tbody></table></div></section>`
}

export const queuesSection = async ({ labels, format, sql }: Visit): Promise<Html> => {
  const queues = await listQueues(sql)
  return html`<section aria-labelledby="queues-title"><h2 id="queues-title">${labels.system.queues}</h2>
    ${
      queues.length === 0
        ? html`<p class="empty good">${labels.system.noQueues}</p>`
        : html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.system.queue}</th><th scope="col" class="number">${labels.system.waiting}</th>
      <th scope="col" class="number">${labels.system.active}</th><th scope="col" class="number">${labels.system.failing}</th></tr></thead>
    <tbody>${queues.map(
      ({ name, waiting, active, retrying }) =>
        html`<tr><th scope="row"><code>${name}</code></th><td data-label="${labels.system.waiting}" class="number">${format.count(waiting)}</td><td data-label="${labels.system.active}" class="number">${format.count(active)}</td><td data-label="${labels.system.failing}" class="number">${format.count(retrying)}</td></tr>`,
    )}</tbody></table></div>`
    }</section>`
}

/** The recurring tasks: when each ran last, when it runs next, and a button to run it now. */
export const schedulesSection = async (visit: Visit): Promise<Html> => {
  const { labels, sql, settings } = visit
  const last = await toSweepsView(sql, await lastSweeps(sql), settings.budget.unitPrice)
  const runs = new Map<string, SweepShown>(last.map((run) => [run.name, run]))
  const rows = Object.entries(settings.sweeps).map(([name, cron]) => scheduleRow(visit, name, cron, runs.get(name)))
  return html`<section aria-labelledby="schedules-title"><h2 id="schedules-title">${labels.system.schedules}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.system.task}</th><th scope="col">${labels.system.schedule}</th><th scope="col">${labels.system.last}</th><th scope="col">${labels.system.next}</th><th></th></tr></thead>
    <tbody>${rows}</tbody></table></div></section>`
}

const scheduleRow = (visit: Visit, name: string, cron: string | null, run: SweepShown | undefined): Html => {
  const { labels, format, nextRun } = visit
  const next = cron ? nextRun(name) : null
  return html`<tr><th scope="row">${term(labels.terms.sweeps, name)}</th>
    <td data-label="${labels.system.schedule}">${cron ? scheduleOf(visit, cron) : labels.rules.off}</td>
    <td data-label="${labels.system.last}">${lastRun(visit, run)}</td><td data-label="${labels.system.next}">${next ? format.moment(next) : '–'}</td>
    <td>${visit.may(roleOfSweep(name)) && html`<a class="button" href="/system/sweeps/${name}/run">${labels.system.run}</a>`}</td></tr>`
}

/** The usual schedules as text, others as cron expressions. */
const scheduleOf = ({ labels }: Visit, cron: string): Part => {
  const [, minutes] = /^\*\/(\d+) \* \* \* \*$/.exec(cron) ?? []
  const [, minute, hour] = /^(\d+) (\d+) \* \* \*$/.exec(cron) ?? []
  if (minutes) return labels.system.everyMinutes(minutes)
  return hour && minute
    ? labels.system.daily(`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`)
    : html`<code>${cron}</code>`
}

const lastRun = (visit: Visit, run: SweepShown | undefined): Part => {
  const { labels, format } = visit
  if (!run) return labels.radars.never
  const state = { running: labels.system.running, done: labels.system.doneAt, failed: labels.system.failed }[run.state]
  const bought =
    run.bought !== null &&
    run.boughtKind &&
    html` <small>${labels.system.bought(pricedCount(visit, run.boughtKind, run.bought))}</small>`
  return html`${format.moment(run.started)} <small>${state}</small>${bought}`
}

/** Shows what a task would buy and asks, before it runs the task. */
export const addSweepAction = ({ page, operationForm }: Pages): void => {
  page('ops', '/system/sweeps/:name/run', async (visit) => {
    const { labels } = visit
    const name = sweepFor(visit, (visit.request.params as { name: string }).name)
    const quote = await perform(sweepOperations.quote, visit, { name }).catch(unlessRegistryFails)
    const cost = quote?.analysesToBuy ?? null
    const title = labels.system.runTitle(labels.terms.sweeps[name])
    const result =
      cost === null
        ? labels.system.runUnknown
        : cost > 0
          ? labels.system.runCost(pricedCount(visit, 'analysis', cost))
          : labels.batches.bulkFree
    const body = html`<section><p class="eyebrow"><a href="/system">${labels.shell.system}</a></p><h1>${title}</h1>
      <p><strong>${result}</strong> ${cost !== 0 && html`<small>${labels.system.runHint}</small>`}</p>
      <div class="actions">${buttonForm(visit, { action: `/system/sweeps/${name}/run`, label: labels.system.run, look: 'primary' })}
        <a class="button" href="/system">${labels.shell.back}</a></div></section>`
    return layout(visit, { title, section: 'system', body })
  })
  operationForm(
    sweepOperations.run,
    '/system/sweeps/:name/run',
    ({ sweep }) => `/system${queryOf({ notice: 'sweep_started', sweep })}`,
  )
}

/** If the registry does not answer, a sweep can still be started, but its cost is not known. */
const unlessRegistryFails = (error: unknown): null => {
  if (error instanceof CallFailure) return null
  throw error
}
