import { localDay } from '../../../domain/calendar.ts'
import { readDocument } from '../../../domain/document.ts'
import { notFound } from '../../../operations/operation.ts'
import { toPairs } from '../../../views/answer.ts'
import { listDocumentChanges } from '../../../views/change.ts'
import {
  countRadars,
  type HistoryPoint,
  listRadars,
  type RadarLine,
  readHistory,
  readRadar,
} from '../../../views/radar.ts'
import { listNights, type Night, readObjective } from '../../../views/sweep.ts'
import { type Html, html, json } from '../../../writing/html.ts'
import { openAddress, queryText, sealAddress } from '../../address.ts'
import { pairFacts } from '../../parts/answer-panel.ts'
import { facts } from '../../parts/facts.ts'
import { hiddenCsrf } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'
import { changeTable } from './change-table.ts'

const pageSize = 100

/** The monitored documents, and the coverage of the last nights. */
export const addRadarsPage = ({ page, action }: Pages): void => {
  page('analyst', '/radars', (visit) =>
    radarsPage(visit, { search: '', after: queryText(visit.request.query, 'after', 200) }),
  )
  // A search may be a document, which must not appear in an address.
  action('analyst', '/radars', (visit, { search = '', after }) =>
    radarsPage(visit, { search: search.slice(0, 100), after: after?.slice(0, 200) }),
  )
}

/** `after` is the encrypted address of the last radar on the previous page. */
type Wanted = { search: string; after?: string }

const radarsPage = async (visit: Visit, wanted: Wanted): Promise<Html> => {
  const { labels, format, sql } = visit
  const { search } = wanted
  const radars = await readRadars(visit, wanted)
  const last = radars.length === pageSize && radars.at(-1)
  const body = html`<h1>${labels.shell.radars}</h1>
    <p class="lead">${labels.radars.total(format.count(await countRadars(sql)))}</p>
    ${await coverageCalendar(visit)}
    <section aria-labelledby="radars-title"><div class="section-head"><h2 id="radars-title" class="visually-hidden">${labels.shell.radars}</h2>
      <form class="filter" method="post" action="/radars" role="search">${hiddenCsrf(visit)}
        <label class="field"><span>${labels.radars.searchLabel}</span><input type="search" name="search" value="${search}" maxlength="100" autocomplete="off"></label>
        <button>${labels.shell.search}</button></form></div>
      ${radars.length === 0 ? html`<p class="empty">${search ? labels.radars.emptySearch : labels.radars.empty}</p>` : table(visit, radars)}
      ${last && more(visit, { search, after: addressOf(visit, last) })}
    </section>`
  return layout(visit, { title: labels.shell.radars, section: 'radars', body })
}

/** The next page of a search is sent as a form too, so that the search is never part of an address. */
const more = (visit: Visit, { search, after }: Required<Wanted>): Html => {
  const { labels } = visit
  if (!search) return html`<p><a class="button" href="/radars?after=${after}">${labels.shell.more}</a></p>`
  return html`<form method="post" action="/radars">${hiddenCsrf(visit)}<input type="hidden" name="search" value="${search}">
    <input type="hidden" name="after" value="${after}"><button>${labels.shell.more}</button></form>`
}

const readRadars = async ({ secret, sql }: Visit, { search, after }: Wanted): Promise<RadarLine[]> => {
  const parsed = readDocument(search)
  const document = 'document' in parsed ? parsed.document.number : undefined
  const last = after ? openAddress(secret, after) : null
  const before = last && (await readRadar(sql, last.organizationId, last.document))
  return listRadars(sql, {
    search: search || undefined,
    document,
    after: before ?? undefined,
    limit: pageSize,
  })
}

const table = (visit: Visit, radars: RadarLine[]): Html => {
  const { labels } = visit
  return html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.radars.name}</th><th scope="col">${labels.rows.document}</th><th scope="col">${labels.radars.active}</th>
    <th scope="col" class="number">${labels.risk.lawsuits}</th><th scope="col" class="number">${labels.risk.amount}</th><th scope="col">${labels.radars.lastVerified}</th></tr></thead>
    <tbody>${radars.map((radar) => row(visit, radar))}</tbody></table></div>`
}

const row = (visit: Visit, radar: RadarLine): Html => {
  const { labels, format } = visit
  const state = stateOf(labels, radar)
  return html`<tr><th scope="row">${radarLink(visit, radar)}</th>
    <td data-label="${labels.rows.document}" class="document">${format.document(radar.document)}</td>
    <td data-label="${labels.radars.active}"${state === labels.shell.yes && html` class="optional"`}>${state}</td>
    <td data-label="${labels.risk.lawsuits}" class="number">${format.count(radar.processes)}</td>
    <td data-label="${labels.risk.amount}" class="number">${format.cents(radar.cents)}</td>
    <td data-label="${labels.radars.lastVerified}" class="optional">${radar.verified ? format.moment(radar.verified) : labels.radars.never}</td></tr>`
}

const stateOf = ({ radars, shell }: Visit['labels'], { removed, active }: RadarLine): string =>
  removed ? radars.removed : active ? shell.yes : radars.inactive

const nameOf = ({ format }: Visit, { name, document }: RadarLine): string =>
  name ? format.text(name) : format.document(document)

const addressOf = ({ secret }: Visit, { organization: organizationId, document }: RadarLine): string =>
  sealAddress(secret, { organizationId, document })

export const radarLink = (visit: Visit, radar: RadarLine): Html =>
  html`<a href="/radars/${addressOf(visit, radar)}">${nameOf(visit, radar)}</a>`

const nights = 30
const day = 86_400_000

/** The last 30 nights, one square each: whether every document was verified. */
const coverageCalendar = async (visit: Visit): Promise<Html> => {
  const { labels, clock, sql, settings } = visit
  const now = clock()
  const sweeps = await listNights(sql, new Date(now.getTime() - (nights + 1) * day))
  const { timezone, radarSweep } = settings
  const kept = await readObjective(sql, { now, timezone, ...radarSweep })
  const byDay = new Map<string, Night>()
  for (const sweep of sweeps) {
    const on = localDay(sweep.startedAt, settings.timezone)
    const known = byDay.get(on)
    if (!known || known.verified < sweep.verified) byDay.set(on, sweep)
  }
  const days = [...Array(nights).keys()].map((back) =>
    localDay(new Date(now.getTime() - (nights - 1 - back) * day), settings.timezone),
  )
  return html`<section aria-labelledby="coverage-title"><h2 id="coverage-title">${labels.radars.coverage}</h2>
    ${kept.nights > 1 && html`<p>${labels.radars.objective(visit.format.count(kept.kept), visit.format.count(kept.nights), visit.format.share(kept.kept / kept.nights))}</p>`}
    <ol class="calendar">${days.map((on) => square(visit, on, byDay.get(on)))}</ol>
    <ul class="legend small">${(['full', 'part', 'failed', 'none'] as const).map(
      (level) => html`<li><span class="night ${level}" aria-hidden="true"></span> ${labels.radars.legend[level]}</li>`,
    )}</ul></section>`
}

const square = ({ labels, format }: Visit, on: string, night: Night | undefined): Html => {
  const date = format.day(on)
  if (!night)
    return html`<li class="night none" title="${labels.radars.coverageNone(date)}"><span class="visually-hidden">${labels.radars.coverageNone(date)}</span></li>`
  const text = labels.radars.coverageNight(
    date,
    format.count(night.verified),
    format.count(night.due),
    format.count(night.changed),
  )
  return html`<li class="night ${levelOf(night)}"><a href="/changes?sweep=${night.id}" title="${text}"><span class="visually-hidden">${text}</span></a></li>`
}

const levelOf = ({ state, due, verified }: Night): 'full' | 'part' | 'failed' =>
  state === 'failed' ? 'failed' : verified >= due && state === 'done' ? 'full' : 'part'

/** One monitored document: its history over the sweeps, and its changes. */
export const addRadarPage = ({ page }: Pages): void => {
  page('analyst', '/radars/:radar', async (visit) => {
    const { labels, format, request } = visit
    const { organizationId, document } = openAddress(visit.secret, queryText(request.params, 'radar', 200) ?? '')
    const { sql } = visit
    const radar = await readRadar(sql, organizationId, document)
    if (!radar) throw notFound('radar')
    const history = await readHistory(sql, organizationId, document, 400)
    const changes = await listDocumentChanges(sql, organizationId, document, 100)
    const title = nameOf(visit, radar)
    const body = html`<p class="eyebrow"><a href="/radars">${labels.shell.radars}</a></p><h1>${title}</h1>
      <section>${facts([
        [labels.rows.document, html`<span class="document">${format.document(document)}</span>`],
        [labels.radars.active, stateOf(labels, radar)],
        [labels.radars.added, radar.added && format.moment(radar.added)],
        [labels.radars.processed, radar.processed && format.moment(radar.processed)],
        [labels.radars.customerType, radar.customerType && format.text(radar.customerType)],
        ...pairFacts(visit, toPairs(radar.listed)),
      ])}</section>
      <section aria-labelledby="history-title"><h2 id="history-title">${labels.radars.history}</h2>${historyPlot(visit, history)}</section>
      <section aria-labelledby="changes-title"><h2 id="changes-title">${labels.shell.changes}</h2>
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
        label: labels.risk.lawsuits,
        unit: 'count',
        values: history.map(({ processes, count }) => processes ?? count),
      },
      {
        label: labels.risk.amount,
        unit: 'BRL',
        values: history.map(({ cents }) => (cents === null ? null : Number(cents) / 100)),
      },
    ],
  }
  const newest = history.slice(-12).reverse()
  return html`<div class="plot lines" data-plot="${json(plot)}" role="img" aria-label="${labels.radars.historyPlot}"></div>
    <details><summary>${labels.shell.details}</summary><div class="table-scroll" tabindex="0" role="region" aria-labelledby="history-title"><table><thead><tr><th scope="col">${labels.changes.night}</th><th scope="col" class="number">${labels.risk.lawsuits}</th><th scope="col" class="number">${labels.risk.amount}</th></tr></thead>
    <tbody>${newest.map(
      ({ verifiedAt, processes, count, cents }) =>
        html`<tr><th scope="row">${format.moment(verifiedAt)}</th><td class="number">${format.count(processes ?? count)}</td><td class="number">${format.cents(cents)}</td></tr>`,
    )}</tbody></table></div></details>`
}
