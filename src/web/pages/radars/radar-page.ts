import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../operations/refusal.ts'
import { toPairs } from '../../../views/answer.ts'
import { listDocumentChanges } from '../../../views/change.ts'
import { type HistoryPoint, readHistory, readRadar } from '../../../views/radar.ts'
import { type Html, html, json } from '../../../writing/html.ts'
import { queryText } from '../../address.ts'
import { pairFacts } from '../../parts/answer-panel.ts'
import { facts } from '../../parts/facts.ts'
import { layout } from '../../parts/layout.ts'
import { openAddress } from '../../sealed-address.ts'
import type { SiteFor } from '../../site/site.ts'
import { page, type Visit } from '../../visit.ts'
import { changeTable } from './change-table.ts'

/** One monitored document: its history over the sweeps, and its changes. */
export const addRadarPage = (app: FastifyInstance, siteFor: SiteFor, secret: Buffer): void => {
  page(app, siteFor, 'analyst', '/radars/:radar', async (visit) => {
    const { labels, format, request } = visit
    const { organizationId, document } = openAddress(secret, queryText(request.params, 'radar', 200) ?? '')
    const { sql } = visit.site.engine
    const radar = await readRadar(sql, organizationId, document)
    if (!radar) throw notFound('radar')
    const history = await readHistory(sql, organizationId, document, 400)
    const changes = await listDocumentChanges(sql, organizationId, document, 100)
    const title = radar.name ? format.text(radar.name) : format.document(document)
    const body = html`<p class="eyebrow"><a href="/radars">${labels.radars.title}</a></p><h1>${title}</h1>
      <section>${facts([
        [labels.radars.document, html`<span class="document">${format.document(document)}</span>`],
        [
          labels.radars.active,
          radar.removedAt ? labels.radars.removed : radar.active ? labels.shell.yes : labels.radars.inactive,
        ],
        [labels.radars.added, radar.addedAt && format.moment(radar.addedAt)],
        [labels.radars.processed, radar.processedAt && format.moment(radar.processedAt)],
        [labels.radars.customerType, radar.customerType && format.text(radar.customerType)],
        ...pairFacts(visit, toPairs(radar.listed)),
      ])}</section>
      <section aria-labelledby="history-title"><h2 id="history-title">${labels.radars.history}</h2>${historyPlot(visit, history)}</section>
      <section aria-labelledby="changes-title"><h2 id="changes-title">${labels.radars.changes}</h2>
        ${changes.length === 0 ? html`<p class="empty">${labels.changes.empty}</p>` : changeTable(visit, changes)}</section>`
    return layout(visit, { title, section: 'radars', body, plots: true })
  })
}

const historyPlot = ({ labels, format }: Visit, history: HistoryPoint[]): Html => {
  if (history.length === 0) return html`<p class="empty">${labels.radars.historyEmpty}</p>`
  const plot = {
    kind: 'lines',
    times: history.map(({ verifiedAt }) => Math.floor(verifiedAt.getTime() / 1000)),
    series: [
      {
        label: labels.radars.processes,
        unit: 'count',
        values: history.map(({ processes, count }) => processes ?? count),
      },
      {
        label: labels.radars.exposure,
        unit: 'BRL',
        values: history.map(({ cents }) => (cents === null ? null : Number(cents) / 100)),
      },
    ],
  }
  const newest = history.slice(-12).reverse()
  return html`<div class="plot lines" data-plot="${json(plot)}" role="img" aria-label="${labels.radars.historyPlot}"></div>
    <details><summary>${labels.shell.details}</summary><div class="table-scroll" tabindex="0" role="region" aria-labelledby="history-title"><table><thead><tr><th scope="col">${labels.radars.sweep}</th><th scope="col" class="number">${labels.radars.processes}</th><th scope="col" class="number">${labels.radars.exposure}</th></tr></thead>
    <tbody>${newest.map(
      ({ verifiedAt, processes, count, cents }) =>
        html`<tr><th scope="row">${format.moment(verifiedAt)}</th><td class="number">${figureOf(format, processes ?? count)}</td><td class="number">${cents === null ? '–' : format.cents(cents)}</td></tr>`,
    )}</tbody></table></div></details>`
}

const figureOf = (format: Visit['format'], value: number | null): string => (value === null ? '–' : format.count(value))
