import type { FastifyInstance } from 'fastify'
import { localDay } from '../../../domain/calendar.ts'
import { readDocument } from '../../../domain/document.ts'
import { countRadars, listRadars, type RadarLine, readRadar } from '../../../views/radar.ts'
import { listNights, type Night, readObjective } from '../../../views/sweep.ts'
import { type Html, html } from '../../../writing/html.ts'
import { checkForm } from '../../access/guard.ts'
import { queryText } from '../../address.ts'
import { hiddenCsrf } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import { openAddress, sealAddress } from '../../sealed-address.ts'
import type { SiteFor } from '../../site/site.ts'
import { page, sendHtml, type Visit, visitOf } from '../../visit.ts'

const pageSize = 100

/** The monitored documents, and the coverage of the last nights. */
export const addRadarsPage = (app: FastifyInstance, siteFor: SiteFor, secret: Buffer): void => {
  page(app, siteFor, 'analyst', '/radars', (visit) =>
    radarsPage(visit, secret, { search: '', after: queryText(visit.request.query, 'after', 200) }),
  )
  // A search may be a document, which must not appear in an address.
  app.post('/radars', { config: { role: 'analyst' } }, async (request, reply) => {
    const form = (request.body ?? {}) as Record<string, string>
    checkForm(request, form.csrf)
    const wanted = { search: (form.search ?? '').slice(0, 100), after: form.after?.slice(0, 200) }
    return sendHtml(reply, await radarsPage(visitOf(siteFor, request, reply), secret, wanted))
  })
}

/** `after` is the encrypted address of the last radar on the previous page. */
type Wanted = { search: string; after?: string }

const radarsPage = async (visit: Visit, secret: Buffer, wanted: Wanted): Promise<Html> => {
  const { labels, format, site } = visit
  const { sql } = site.engine
  const { search } = wanted
  const radars = await readRadars(visit, secret, wanted)
  const last = radars.length === pageSize && radars.at(-1)
  const body = html`<h1>${labels.radars.title}</h1>
    <p class="lead">${labels.radars.total(format.count(await countRadars(sql)))}</p>
    ${await coverageCalendar(visit)}
    <section aria-labelledby="radars-title"><div class="section-head"><h2 id="radars-title" class="visually-hidden">${labels.radars.title}</h2>
      <form class="filter" method="post" action="/radars" role="search">${hiddenCsrf(visit)}
        <label class="field"><span>${labels.radars.searchLabel}</span><input type="search" name="search" value="${search}" maxlength="100" autocomplete="off"></label>
        <button>${labels.shell.search}</button></form></div>
      ${radars.length === 0 ? html`<p class="empty">${search ? labels.radars.emptySearch : labels.radars.empty}</p>` : table(visit, secret, radars)}
      ${last && more(visit, { search, after: sealAddress(secret, last) })}
    </section>`
  return layout(visit, { title: labels.radars.title, section: 'radars', body })
}

/** The next page of a search is sent as a form too, so that the search is never part of an address. */
const more = (visit: Visit, { search, after }: Required<Wanted>): Html => {
  const { labels } = visit
  if (!search) return html`<p><a class="button" href="/radars?after=${after}">${labels.shell.more}</a></p>`
  return html`<form method="post" action="/radars">${hiddenCsrf(visit)}<input type="hidden" name="search" value="${search}">
    <input type="hidden" name="after" value="${after}"><button>${labels.shell.more}</button></form>`
}

const readRadars = async ({ site }: Visit, secret: Buffer, { search, after }: Wanted): Promise<RadarLine[]> => {
  const parsed = readDocument(search)
  const document = 'document' in parsed ? parsed.document.number : undefined
  const last = after ? openAddress(secret, after) : null
  const before = last && (await readRadar(site.engine.sql, last.organizationId, last.document))
  return listRadars(site.engine.sql, {
    search: search || undefined,
    document,
    after: before ?? undefined,
    limit: pageSize,
  })
}

const table = (visit: Visit, secret: Buffer, radars: RadarLine[]): Html => {
  const { labels } = visit
  return html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.radars.name}</th><th scope="col">${labels.radars.document}</th><th scope="col">${labels.radars.active}</th>
    <th scope="col" class="number">${labels.radars.processes}</th><th scope="col" class="number">${labels.radars.exposure}</th><th scope="col">${labels.radars.lastVerified}</th></tr></thead>
    <tbody>${radars.map((radar) => row(visit, secret, radar))}</tbody></table></div>`
}

const row = ({ labels, format }: Visit, secret: Buffer, radar: RadarLine): Html => {
  const state = radar.removedAt ? labels.radars.removed : radar.active ? labels.shell.yes : labels.radars.inactive
  return html`<tr><th scope="row"><a href="/radars/${sealAddress(secret, radar)}">${radar.name ? format.text(radar.name) : format.document(radar.document)}</a></th>
    <td data-label="${labels.radars.document}" class="document">${format.document(radar.document)}</td>
    <td data-label="${labels.radars.active}"${state === labels.shell.yes && html` class="optional"`}>${state}</td>
    <td data-label="${labels.radars.processes}" class="number">${radar.processes === null ? '–' : format.count(radar.processes)}</td>
    <td data-label="${labels.radars.exposure}" class="number">${radar.cents === null ? '–' : format.cents(radar.cents)}</td>
    <td data-label="${labels.radars.lastVerified}" class="optional">${radar.verifiedAt ? format.moment(radar.verifiedAt) : labels.radars.never}</td></tr>`
}

const nights = 30
const day = 86_400_000

/** The last 30 nights, one square each: whether every document was verified. */
const coverageCalendar = async (visit: Visit): Promise<Html> => {
  const { site, labels } = visit
  const { clock, sql } = site.engine
  const now = clock()
  const sweeps = await listNights(sql, new Date(now.getTime() - (nights + 1) * day))
  const { timezone, radarSweep } = site.settings
  const kept = await readObjective(sql, { now, timezone, ...radarSweep })
  const byDay = new Map<string, Night>()
  for (const sweep of sweeps) {
    const on = localDay(sweep.startedAt, site.settings.timezone)
    const known = byDay.get(on)
    if (!known || known.verified < sweep.verified) byDay.set(on, sweep)
  }
  const days = [...Array(nights).keys()].map((back) =>
    localDay(new Date(now.getTime() - (nights - 1 - back) * day), site.settings.timezone),
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
