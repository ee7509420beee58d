import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { heldLanes } from '../../../store/fleet/lanes.ts'
import { runningSweeps } from '../../../store/radars/sweeps.ts'
import { laneId } from '../../../views/lane.ts'
import { type LastHour, readLastHour } from '../../../views/throughput.ts'
import { type Html, html, json } from '../../../writing/html.ts'
import { queryOf, queryText } from '../../address.ts'
import { notice } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { streamFrames } from '../../parts/live.ts'
import type { SiteFor } from '../../site/site.ts'
import { page, type Visit } from '../../visit.ts'
import { eraseSection } from './erase-section.ts'
import { lanesSection } from './lanes-section.ts'
import { schedulesSection } from './schedules-section.ts'
import { queuesSection, spendingSection, workersSection } from './spending-section.ts'

/** The state of the system: lanes, workers, queues, recurring tasks, spending. */
export const addSystemPage = (app: FastifyInstance, siteFor: SiteFor): void => {
  page(app, siteFor, 'analyst', '/system', async (visit) => {
    const { labels } = visit
    const body = html`<div class="section-head"><h1>${labels.system.title}</h1>${visit.may('admin') && html`<div class="actions">${visit.visitor.organizations === null && html`<a class="button" href="/system/operators">${labels.operators.title}</a>`}<a class="button" href="/system/audit">${labels.system.audit}</a></div>`}</div>
      <div id="system-live" hx-sse:connect="/system/live${queryOf(following(visit))}" hx-swap="innerMorph">${await moving(visit)}</div>
      ${visit.may('admin') && visit.visitor.organizations === null && eraseSection(visit)}
      ${await disk(visit)}`
    return layout(visit, {
      title: labels.system.title,
      section: 'system',
      body,
      plots: true,
      streams: true,
      showsNotice: true,
    })
  })
  page(app, siteFor, 'analyst', '/system/live', (visit) =>
    streamFrames(visit, async () => ({ shown: await moving(visit), over: false }), 2_000),
  )
}

/** The part that updates by itself. The notice of the last action disappears when it is no longer true. */
const moving = async (visit: Visit): Promise<Html> => html`${(await isTrue(visit)) && notice(visit)}
  ${await lanesSection(visit)}
  ${visit.visitor.organizations === null && (await installation(visit))}
  ${await spendingSection(visit)}`

/** Workers, queues and tasks serve every organization, so only visitors of all organizations see them. */
const installation = async (visit: Visit): Promise<Html> => html`${await throughputSection(visit)}
  <div class="columns">${await workersSection(visit)}${await queuesSection(visit)}</div>
  ${await schedulesSection(visit)}`

/** The parts of the address that the stream needs: the notice and its subject. */
const following = ({ request }: Visit): Record<'notice' | 'lane' | 'sweep', string | undefined> => ({
  notice: queryText(request.query, 'notice'),
  lane: queryText(request.query, 'lane'),
  sweep: queryText(request.query, 'sweep', 18),
})

const isTrue = async (visit: Visit): Promise<boolean> => {
  const { sql } = visit.site.engine
  const { notice: name, lane, sweep } = following(visit)
  if (name === 'sweep_started') return (await runningSweeps(sql)).some(({ id }) => String(id) === sweep)
  if (name !== 'lane_held' && name !== 'lane_resumed') return true
  const held = (await heldLanes(sql)).some((each) => laneId(each) === lane)
  return held === (name === 'lane_held')
}

const disk = async ({ site, labels, format }: Visit): Promise<Html | null> => {
  const stats = await statfs(site.home.path).catch(() => null)
  return stats && html`<p class="quiet-text">${labels.system.disk(format.bytes(stats.bavail * stats.bsize))}</p>`
}

/** The last hour of all workers, by minute: look-ups per second, latency of the registry, and calls that failed. */
const throughputSection = async (visit: Visit): Promise<Html> => {
  const { system } = visit.labels
  const { sql, clock } = visit.site.engine
  const hour = await readLastHour(sql, clock())
  return html`<section aria-labelledby="hour-title"><h2 id="hour-title">${system.lastHour}</h2>
    ${hour ? plots(visit, hour) : html`<p class="empty">${system.lastHourNone}</p>`}</section>`
}

const plots = ({ labels: { system }, format }: Visit, { minutes, ...total }: LastHour): Html => {
  const times = minutes.map(({ at }) => format.moment(at).slice(-5))
  const plot = (label: string, unit: string, values: (number | null)[]) => html`<p class="caption">${label}</p>
    <div class="plot times" hx-morph-skip-children data-plot="${json({ kind: 'times', labels: times, unit, values })}" role="img" aria-label="${label}"></div>`
  return html`<p>${system.lastHourTotal(format.count(total.lookups), format.count(total.calls), format.count(total.failures))}
      ${system.lastHourLatency(format.seconds(total.median), format.seconds(total.slow))}</p>
    ${plot(
      system.lookupsPlot,
      'rate',
      minutes.map(({ perSecond }) => perSecond),
    )}
    ${plot(
      system.latencyPlot,
      's',
      minutes.map(({ slow }) => slow),
    )}
    ${plot(
      system.failuresPlot,
      'count',
      minutes.map(({ failures }) => failures),
    )}`
}
