import type { FastifyInstance } from 'fastify'
import { type Doubt, readDoubts } from '../../../batches/parked.ts'
import { countInDoubt, countParked } from '../../../store/lookups/lookups.ts'
import { type Html, html } from '../../../writing/html.ts'
import { batchName, facts, ownNamesLine } from '../../parts/facts.ts'
import { layout } from '../../parts/layout.ts'
import type { SiteFor } from '../../site/site.ts'
import { page, type Visit } from '../../visit.ts'
import { choices } from './resolve.ts'

/** Every purchase that nobody can tell, of files and of sweeps, with its three choices. */
export const addParkedPage = (app: FastifyInstance, siteFor: SiteFor): void => {
  page(app, siteFor, 'analyst', '/parked', async (visit) => {
    const { words } = visit
    const { sql } = visit.site.engine
    const doubts = await readDoubts(sql, mostShown)
    const [inDoubt, parked] = [await countInDoubt(sql), await countParked(sql)]
    const body = html`<h1>${words.parked.title}</h1><p class="lead">${words.parked.intro}</p>
      ${inDoubt === 0 ? html`<p class="empty good">${words.parked.empty}</p>` : standing(visit, inDoubt, parked)}
      ${doubts.map((doubt) => parkedRow(visit, doubt))}`
    return layout(visit, { title: words.parked.title, section: 'parked', body })
  })
}

/** The same figure as on the batches and in the metrics, and who is to act on it. */
const standing = ({ words, format }: Visit, inDoubt: number, parked: number): Html =>
  html`<section>${facts([
    [words.parked.inDoubt, html`<strong>${format.count(inDoubt)}</strong>`],
    [words.parked.forPerson, format.count(parked)],
    [words.parked.beingJudged, format.count(Math.max(0, inDoubt - parked))],
  ])}</section>`

const mostShown = 100

/** A row of a file leads to its story; what a sweep bought has no row. */
const parkedRow = (
  visit: Visit,
  { lookupId, batchId, line, name, kind, question, detail, said, sendingAt, candidates, own }: Doubt,
): Html => {
  const { words, format } = visit
  const row = batchId !== null && line !== null
  const batch = { name: name ?? '' }
  const title = row
    ? html`<a class="nowrap" href="/batches/${batchId}/rows/${line}">${words.rows.storyOf(format.count(line))}</a>`
    : html`<span class="nowrap">${words.parked.lookup(String(lookupId))}</span>`
  const source = row
    ? html`<a href="/batches/${batchId}">${batchName(visit, batch)}</a>`
    : html`${words.parked.ofSweep}`
  return html`<article class="parked">
    <p class="eyebrow">${source}</p>
    <h2>${title} · <span class="document">${format.document(question)}</span></h2>${ownNamesLine(own)}
    <p>${detail && html`<span class="sentence">${format.told(said ?? detail)}</span>`} ${sendingAt && html`<small>${words.rows.sent} ${format.moment(sendingAt)}</small>`}</p>
    ${choices(visit, { action: `/parked/${lookupId}/resolve`, kind, candidates })}</article>`
}
