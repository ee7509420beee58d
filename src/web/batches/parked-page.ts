import type { FastifyInstance } from 'fastify'
import type { Kind } from '../../domain/kind.ts'
import { countInDoubt } from '../../store/open-calls.ts'
import { listParked } from '../../store/parked-rows.ts'
import { countParked, listBatchesInDoubt } from '../../store/parked-view.ts'
import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'
import { batchName } from '../parts/batch-name.ts'
import { facts } from '../parts/facts.ts'
import type { Site } from '../site.ts'
import { page, type Visit } from '../visit.ts'
import { choices } from './resolve.ts'

type ParkedRow = Awaited<ReturnType<typeof listParked>>[number] & { batch: { id: bigint; name: string; kind: Kind } }

/** Every row whose purchase nobody can tell, over all batches, with its three choices. */
export const addParkedPage = (app: FastifyInstance, site: Site): void => {
  page(app, site, 'analyst', '/parked', async (visit) => {
    const { words } = visit
    const { sql } = site.engine
    const rows = await readParked(site, 100)
    const [inDoubt, parked] = [await countInDoubt(sql), await countParked(sql)]
    const body = html`<h1>${words.parked.title}</h1><p class="lead">${words.parked.intro}</p>
      ${inDoubt === 0 ? html`<p class="empty good">${words.parked.empty}</p>` : standing(visit, inDoubt, parked)}
      ${rows.map((row) => parkedRow(visit, row))}`
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

const readParked = async ({ engine }: Site, limit: number): Promise<ParkedRow[]> => {
  const found: ParkedRow[] = []
  for (const batch of await listBatchesInDoubt(engine.sql)) {
    if (found.length >= limit) break
    const rows = await listParked(engine.sql, batch.id, limit - found.length)
    found.push(...rows.map((row) => ({ ...row, batch })))
  }
  return found
}

const parkedRow = (visit: Visit, { batch, line, question, detail, sendingAt }: ParkedRow): Html => {
  const { words, format } = visit
  const title = html`<a class="nowrap" href="/batches/${batch.id}/rows/${line}">${words.rows.storyOf(format.count(line))}</a>`
  return html`<article class="parked">
    <p class="eyebrow"><a href="/batches/${batch.id}">${batchName(visit, batch)}</a></p>
    <h2>${title} · <span class="document">${format.document(question)}</span></h2>
    <p>${detail && html`<span class="sentence">${format.told(detail)}</span>`} ${sendingAt && html`<small>${words.rows.sent} ${format.moment(sendingAt)}</small>`}</p>
    ${choices(visit, batch, line, 'parked')}</article>`
}
