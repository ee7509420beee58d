import type { FastifyInstance } from 'fastify'
import { listParkedCalls, type ParkedCall } from '../../../batches/parked.ts'
import { countParked, countUnknownOutcomes } from '../../../store/lookups/lookups.ts'
import { type Html, html } from '../../../writing/html.ts'
import { rowAddress } from '../../address.ts'
import { batchName, facts, ownNamesLine } from '../../parts/facts.ts'
import { layout } from '../../parts/layout.ts'
import type { SiteFor } from '../../site/site.ts'
import { page, type Visit } from '../../visit.ts'
import { choices } from './resolve.ts'

/** Every parked purchase, of files and sweeps, with its three choices. */
export const addParkedPage = (app: FastifyInstance, siteFor: SiteFor): void => {
  page(app, siteFor, 'analyst', '/parked', async (visit) => {
    const { labels } = visit
    const { sql } = visit.site.engine
    const parkedCalls = await listParkedCalls(sql, mostShown)
    const [unknownOutcomes, parked] = [await countUnknownOutcomes(sql), await countParked(sql)]
    const body = html`<h1>${labels.parked.title}</h1><p class="lead">${labels.parked.intro}</p>
      ${unknownOutcomes === 0 ? html`<p class="empty good">${labels.parked.empty}</p>` : standing(visit, unknownOutcomes, parked)}
      ${parkedCalls.map((parkedCall) => parkedRow(visit, parkedCall))}`
    return layout(visit, { title: labels.parked.title, section: 'parked', body })
  })
}

/** The same figure as on the batches and in the metrics, split by who has to act. */
const standing = ({ labels, format }: Visit, unknownOutcomes: number, parked: number): Html =>
  html`<section>${facts([
    [labels.parked.unknownOutcomes, html`<strong>${format.count(unknownOutcomes)}</strong>`],
    [labels.parked.forPerson, format.count(parked)],
    [labels.parked.beingJudged, format.count(Math.max(0, unknownOutcomes - parked))],
  ])}</section>`

const mostShown = 100

/** A row of a file links to its history; a purchase of a sweep has no row. */
const parkedRow = (
  visit: Visit,
  {
    lookupId,
    batchId,
    line,
    part,
    name,
    layout: fileLayout,
    kind,
    question,
    message,
    sendingAt,
    candidates,
    own,
  }: ParkedCall,
): Html => {
  const { labels, format } = visit
  const row = batchId !== null && line !== null
  const batch = { name: name ?? '' }
  const title = row
    ? html`<a class="nowrap" href="${rowAddress({ id: batchId, layout: fileLayout }, { line, part: part ?? 0 })}">${labels.rows.historyOf(format.count(line))}</a>`
    : html`<span class="nowrap">${labels.parked.lookup(String(lookupId))}</span>`
  const source = row
    ? html`<a href="/batches/${batchId}">${batchName(visit, batch)}</a>`
    : html`${labels.parked.ofSweep}`
  return html`<article class="parked">
    <p class="eyebrow">${source}</p>
    <h2>${title} · <span class="document">${format.document(question)}</span></h2>${ownNamesLine(own)}
    <p>${message && html`<span class="sentence">${format.message(message)}</span>`} ${sendingAt && html`<small>${labels.rows.sent} ${format.moment(sendingAt)}</small>`}</p>
    ${choices(visit, { action: `/parked/${lookupId}/resolve`, kind, candidates })}</article>`
}
