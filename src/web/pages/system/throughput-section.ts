import { type LastHour, readLastHour } from '../../../views/throughput.ts'
import { type Html, html, json } from '../../../writing/html.ts'
import type { Visit } from '../../visit.ts'

/** The last hour of all workers, by minute: look-ups per second, latency of the registry, and calls that failed. */
export const throughputSection = async (visit: Visit): Promise<Html> => {
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
