import type { FastifyInstance } from 'fastify'
import { readOwnRows } from '../../../batches/own-rows.ts'
import type { Sql } from '../../../store/connect.ts'
import { countInDoubt, countParked } from '../../../store/lookups/lookups.ts'
import { listAllParked, type Parked } from '../../../store/lookups/parked-rows.ts'
import type { OwnRow } from '../../../views/own-row.ts'
import { type ParkedShown, readCandidates } from '../../../views/parked.ts'
import { type Html, html } from '../../html.ts'
import { batchName, facts, ownNames } from '../../parts/facts.ts'
import { layout } from '../../parts/layout.ts'
import type { Site } from '../../site.ts'
import { page, type Visit } from '../../visit.ts'
import { choices } from './resolve.ts'

/** Every purchase that nobody can tell, of files and of sweeps, with its three choices. */
export const addParkedPage = (app: FastifyInstance, site: Site): void => {
  page(app, site, 'analyst', '/parked', async (visit) => {
    const { words } = visit
    const { sql } = site.engine
    const rows = await listAllParked(sql, mostShown)
    const [inDoubt, parked] = [await countInDoubt(sql), await countParked(sql)]
    const candidates = await readCandidates(
      sql,
      rows.map(({ lookupId }) => lookupId),
    )
    const own = await ownRowsOf(sql, rows)
    const body = html`<h1>${words.parked.title}</h1><p class="lead">${words.parked.intro}</p>
      ${inDoubt === 0 ? html`<p class="empty good">${words.parked.empty}</p>` : standing(visit, inDoubt, parked)}
      ${rows.map((row) => parkedRow(visit, row, candidates.get(row.lookupId) ?? [], own.get(row.lookupId)))}`
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

/** What the files say about the rows in doubt; they are few, and of few files. */
const ownRowsOf = async (sql: Sql, rows: readonly Parked[]): Promise<Map<bigint, OwnRow>> => {
  const found = new Map<bigint, OwnRow>()
  for (const some of Map.groupBy(rows, ({ batchId }) => batchId).values()) {
    const placed = some.flatMap(({ line, startAt, size }) =>
      line === null || startAt === null || size === null ? [] : [{ line, startAt, size }],
    )
    const own = await readOwnRows(sql, some[0]!, placed)
    for (const { lookupId, line } of some) if (line !== null && own.has(line)) found.set(lookupId, own.get(line)!)
  }
  return found
}

/** A row of a file leads to its story; what a sweep bought has no row. */
const parkedRow = (
  visit: Visit,
  { lookupId, batchId, line, name, kind, question, detail, said, sendingAt }: Parked,
  candidates: ParkedShown['candidates'],
  own: OwnRow | undefined,
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
    <h2>${title} · <span class="document">${format.document(question)}</span></h2>${ownNames(own)}
    <p>${detail && html`<span class="sentence">${format.told(said ?? detail)}</span>`} ${sendingAt && html`<small>${words.rows.sent} ${format.moment(sendingAt)}</small>`}</p>
    ${choices(visit, { action: `/parked/${lookupId}/resolve`, kind, candidates })}</article>`
}
