import { CallFailure } from '../../../domain/call-failure.ts'
import { term } from '../../../messages/term.ts'
import { perform } from '../../../operations/operation.ts'
import { roleOfSweep, sweepFor, sweepOperations } from '../../../operations/sweeps.ts'
import { lastSweeps } from '../../../store/radars/sweeps.ts'
import { type SweepShown, toSweepsView } from '../../../views/sweep.ts'
import { type Html, html, type Part } from '../../../writing/html.ts'
import { queryOf } from '../../address.ts'
import { pricedCount } from '../../parts/facts.ts'
import { buttonForm } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'

/** The recurring tasks: when each ran last, when it runs next, and a button to run it now. */
export const schedulesSection = async (visit: Visit): Promise<Html> => {
  const { labels, sql, settings } = visit
  const last = await toSweepsView(sql, await lastSweeps(sql), settings.budget.unitPrice)
  const runs = new Map<string, SweepShown>(last.map((run) => [run.name, run]))
  const rows = Object.entries(settings.sweeps).map(([name, cron]) => row(visit, name, cron, runs.get(name)))
  return html`<section aria-labelledby="schedules-title"><h2 id="schedules-title">${labels.system.schedules}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.system.task}</th><th scope="col">${labels.system.schedule}</th><th scope="col">${labels.system.last}</th><th scope="col">${labels.system.next}</th><th></th></tr></thead>
    <tbody>${rows}</tbody></table></div></section>`
}

const row = (visit: Visit, name: string, cron: string | null, run: SweepShown | undefined): Html => {
  const { labels, format, site } = visit
  const next = cron ? site.nextRun(name) : null
  return html`<tr><th scope="row">${term(labels.terms.sweeps, name)}</th>
    <td data-label="${labels.system.schedule}">${cron ? scheduleOf(visit, cron) : labels.system.off}</td>
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
  if (!run) return labels.system.never
  const state = { running: labels.system.running, done: labels.system.doneAt, failed: labels.system.failed }[run.state]
  const bought =
    run.bought !== null &&
    run.boughtKind &&
    html` <small>${labels.system.bought(pricedCount(visit, run.boughtKind, run.bought))}</small>`
  return html`${format.moment(new Date(run.started))} <small>${state}</small>${bought}`
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
    const body = html`<section><p class="eyebrow"><a href="/system">${labels.system.title}</a></p><h1>${title}</h1>
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
