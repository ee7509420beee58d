import type { FastifyInstance } from 'fastify'
import { listDocumentChanges } from '../../../views/change.ts'
import { type HistoryPoint, readHistory, readRadar } from '../../../views/radar.ts'
import { type Html, html, json } from '../../../writing/html.ts'
import { queryText } from '../../address.ts'
import { facts } from '../../parts/facts.ts'
import { layout } from '../../parts/layout.ts'
import { openAddress } from '../../sealed-address.ts'
import { notFound } from '../../site/refusals.ts'
import type { SiteFor } from '../../site/site.ts'
import { page, type Visit } from '../../visit.ts'
import { changeTable } from './change-table.ts'

/** One document on watch: its history over the sweeps, and what changed. */
export const addRadarPage = (app: FastifyInstance, siteFor: SiteFor, secret: Buffer): void => {
  page(app, siteFor, 'analyst', '/radars/:radar', async (visit) => {
    const { words, format, request } = visit
    const { organizationId, document } = openAddress(secret, queryText(request.params, 'radar', 200) ?? '')
    const { sql } = visit.site.engine
    const radar = await readRadar(sql, organizationId, document)
    if (!radar) throw notFound('radar')
    const history = await readHistory(sql, organizationId, document, 400)
    const changes = await listDocumentChanges(sql, organizationId, document, 100)
    const title = radar.name ? format.text(radar.name) : format.document(document)
    const body = html`<p class="eyebrow"><a href="/radars">${words.radars.title}</a></p><h1>${title}</h1>
      <section>${facts([
        [words.radars.document, html`<span class="document">${format.document(document)}</span>`],
        [
          words.radars.active,
          radar.removedAt ? words.radars.removed : radar.active ? words.shell.yes : words.radars.inactive,
        ],
        [words.radars.added, radar.addedAt && format.moment(radar.addedAt)],
      ])}</section>
      <section aria-labelledby="history-title"><h2 id="history-title">${words.radars.history}</h2>${historyPlot(visit, history)}</section>
      <section aria-labelledby="changes-title"><h2 id="changes-title">${words.radars.changes}</h2>
        ${changes.length === 0 ? html`<p class="empty">${words.changes.empty}</p>` : changeTable(visit, changes)}</section>`
    return layout(visit, { title, section: 'radars', body, plots: true })
  })
}

const historyPlot = ({ words, format }: Visit, history: HistoryPoint[]): Html => {
  if (history.length === 0) return html`<p class="empty">${words.radars.historyEmpty}</p>`
  const plot = {
    kind: 'lines',
    times: history.map(({ verifiedAt }) => Math.floor(verifiedAt.getTime() / 1000)),
    series: [
      { label: words.radars.processes, values: history.map(({ processes, count }) => processes ?? count) },
      {
        label: `${words.radars.exposure} (R$)`,
        values: history.map(({ cents }) => (cents === null ? null : Number(cents) / 100)),
      },
    ],
  }
  const newest = history.slice(-12).reverse()
  return html`<div class="plot lines" data-plot="${json(plot)}" role="img" aria-label="${words.radars.historyPlot}"></div>
    <details><summary>${words.shell.details}</summary><div class="table-scroll" tabindex="0" role="region" aria-labelledby="history-title"><table><thead><tr><th scope="col">${words.radars.sweep}</th><th scope="col" class="number">${words.radars.processes}</th><th scope="col" class="number">${words.radars.exposure}</th></tr></thead>
    <tbody>${newest.map(
      ({ verifiedAt, processes, count, cents }) =>
        html`<tr><th scope="row">${format.moment(verifiedAt)}</th><td class="number">${figureOf(format, processes ?? count)}</td><td class="number">${cents === null ? '–' : format.cents(cents)}</td></tr>`,
    )}</tbody></table></div></details>`
}

const figureOf = (format: Visit['format'], value: number | null): string => (value === null ? '–' : format.count(value))
