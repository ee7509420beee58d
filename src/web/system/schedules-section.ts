import type { FastifyInstance } from 'fastify'
import { beginSweep } from '../../monitoring/begin-sweep.ts'
import { lastSweeps } from '../../store/sweep-view.ts'
import { sweepNames } from '../../store/sweeps.ts'
import { queryOf, queryText } from '../batches/address.ts'
import { type Html, html, type Part } from '../html.ts'
import { buttonForm } from '../parts/form.ts'
import { notFound } from '../refusals.ts'
import type { Site } from '../site.ts'
import { action, type Visit } from '../visit.ts'
import { term } from '../words/term.ts'

type Run = Awaited<ReturnType<typeof lastSweeps>>[number]

/** The recurring tasks: when each ran last, when it runs next, and a button to run it now. */
export const schedulesSection = async (visit: Visit): Promise<Html> => {
  const { words, site } = visit
  const runs = new Map((await lastSweeps(site.engine.sql)).map((run) => [run.name, run]))
  const rows = Object.entries(site.settings.sweeps).map(([name, cron]) => row(visit, name, cron, runs.get(name)))
  return html`<section aria-labelledby="schedules-title"><h2 id="schedules-title">${words.system.schedules}</h2>
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.system.task}</th><th scope="col">${words.system.schedule}</th><th scope="col">${words.system.last}</th><th scope="col">${words.system.next}</th><th></th></tr></thead>
    <tbody>${rows}</tbody></table></div></section>`
}

const row = (visit: Visit, name: string, cron: string | null, run: Run | undefined): Html => {
  const { words, format, site } = visit
  const next = cron ? site.nextRun(name) : null
  return html`<tr><th scope="row">${term(words.terms.sweeps, name)}</th>
    <td data-label="${words.system.schedule}">${cron ? scheduleOf(visit, cron) : words.system.off}</td>
    <td data-label="${words.system.last}">${lastRun(visit, run)}</td><td data-label="${words.system.next}">${next ? format.moment(next) : '–'}</td>
    <td>${visit.may('ops') && buttonForm(visit, { action: `/system/sweeps/${name}/run`, label: words.system.run })}</td></tr>`
}

/** The usual schedules in words, the others as they were set. */
const scheduleOf = ({ words }: Visit, cron: string): Part => {
  const [, minutes] = /^\*\/(\d+) \* \* \* \*$/.exec(cron) ?? []
  const [, minute, hour] = /^(\d+) (\d+) \* \* \*$/.exec(cron) ?? []
  if (minutes) return words.system.everyMinutes(minutes)
  return hour && minute
    ? words.system.daily(`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`)
    : html`<code>${cron}</code>`
}

const lastRun = ({ words, format }: Visit, run: Run | undefined): Part => {
  if (!run) return words.system.never
  const state = { running: words.system.running, done: words.system.doneAt, failed: words.system.failed }[run.state]
  return html`${format.moment(run.startedAt)} <small>${state}</small>`
}

export const addSweepAction = (app: FastifyInstance, site: Site): void => {
  action(app, site, 'ops', '/system/sweeps/:name/run', async ({ request, visitor }) => {
    const sweep = await runSweep(site, queryText(request.params, 'name') ?? '', visitor.name)
    return `/system${queryOf({ notice: 'sweep_started', sweep })}`
  })
}

/** Begins a sweep now; one of the same name that runs is not doubled. */
export const runSweep = async ({ engine, settings }: Site, name: string, by: string): Promise<bigint> => {
  const known = sweepNames.find((each) => each === name)
  if (!known) throw notFound('recurring task')
  return beginSweep(engine, { name: known, by, now: engine.clock(), timezone: settings.timezone })
}
