import { localDay } from '../../domain/local-time.ts'
import { spentOn } from '../../store/spending.ts'
import { listSpending, listUsage, type UsageLine } from '../../store/system-view.ts'
import { type Html, html, json, type Part } from '../html.ts'
import type { Visit } from '../visit.ts'

const days = 30
const day = 86_400_000

/** Today against the budget, the last 30 days as a plot, and what the registry says it charged. */
export const spendingSection = async (visit: Visit): Promise<Html> => {
  const { words, format, site } = visit
  const { sql, clock } = site.engine
  const { perDay } = site.settings.budget
  const today = localDay(clock(), site.settings.timezone)
  const spent = await spentOn(sql, today)
  const text =
    perDay === null
      ? words.system.usageFree(format.count(spent))
      : words.system.usageOf(format.count(spent), format.count(perDay))
  return html`<section aria-labelledby="usage-title"><h2 id="usage-title">${words.system.usage}</h2>
    <p><strong>${words.system.usageToday}:</strong> ${text}</p>
    ${perDay !== null && html`<progress class="budget" max="${Math.max(1, perDay)}" value="${spent}" aria-label="${words.system.usage}"></progress>`}
    ${await spendingPlot(visit)}
    ${usageTable(visit, await listUsage(sql, 14))}</section>`
}

const spendingPlot = async ({ words, format, site }: Visit): Promise<Html> => {
  const { sql, clock } = site.engine
  const now = clock().getTime()
  const names = [...Array(days).keys()].map((back) =>
    localDay(new Date(now - (days - 1 - back) * day), site.settings.timezone),
  )
  const units = new Map((await listSpending(sql, names[0] as string)).map((each) => [each.day, each.units]))
  const plot = {
    kind: 'days',
    labels: names.map((name) => format.day(name).slice(0, 5)),
    values: names.map((name) => units.get(name) ?? 0),
    unit: '',
  }
  return html`<div class="plot days" hx-morph-skip data-plot="${json(plot)}" role="img" aria-label="${words.system.usagePlot}"></div><p class="caption">${words.system.usagePlot}</p>`
}

const usageTable = ({ words, format }: Visit, lines: UsageLine[]): Part =>
  lines.length > 0 &&
  html`<h3 id="told-title">${words.system.told}</h3><div class="table-scroll" tabindex="0" role="region" aria-labelledby="told-title"><table><thead><tr><th scope="col">${words.system.toldDay}</th><th scope="col">${words.upload.organization}</th><th scope="col" class="number">${words.system.toldBy}</th>
    <th scope="col" class="number">${words.system.recorded}</th><th scope="col" class="number">${words.system.difference}</th></tr></thead>
    <tbody>${lines.map(
      ({
        day: on,
        organizationId,
        told,
        recorded,
      }) => html`<tr><th scope="row">${format.day(on)}</th><td>${organizationId}</td><td class="number">${format.count(told)}</td>
      <td class="number">${format.count(recorded)}</td><td class="number">${told === recorded ? '0' : html`<strong>${format.count(told - recorded)}</strong>`}</td></tr>`,
    )}</tbody></table></div>`
