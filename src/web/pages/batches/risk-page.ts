import type { FastifyInstance } from 'fastify'
import { batchOrRefuse } from '../../../batches/steer.ts'
import { type Classification, classifications } from '../../../domain/classifications.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import { countsOf } from '../../../store/batches/counts.ts'
import type { Database } from '../../../store/connect.ts'
import { addUpTotals, type Exposure, type RiskTotals, readExposures, readKeptTotals } from '../../../views/risk.ts'
import { idIn, queryText } from '../../address.ts'
import { type Html, html, json } from '../../html.ts'
import { batchName } from '../../parts/facts.ts'
import { layout } from '../../parts/layout.ts'
import { notFound } from '../../refusals.ts'
import type { Site } from '../../site.ts'
import { page, type Visit } from '../../visit.ts'

/** What the answers of an analysis batch add up to, and whose exposure is the highest. */
export const addRiskPage = (app: FastifyInstance, site: Site): void => {
  const desk = createRiskDesk(site.engine.sql)
  page(app, site, 'analyst', '/batches/:batch/risk', async (visit) => {
    const batch = await riskBatch(visit)
    const { words } = visit
    const body = html`<p class="eyebrow"><a href="/batches/${batch.id}">${batchName(visit, batch)}</a></p><h1>${words.risk.title}</h1>
      <div class="columns risk">
        <section aria-labelledby="totals-title"><h2 id="totals-title">${words.risk.totals}</h2>${fetched(visit, batch, 'totals')}</section>
        <section aria-labelledby="top-title"><h2 id="top-title">${words.risk.top}</h2>
          <p class="eyebrow">${words.risk.rankedBy}: ${words.terms.classifications[classificationOf(visit)]}</p>${fetched(visit, batch, 'top')}</section></div>`
    return layout(visit, { title: words.risk.title, section: 'batches', body, plots: true })
  })
  page(app, site, 'analyst', '/batches/:batch/risk/totals', async (visit) => {
    const batch = await riskBatch(visit)
    return totalsPiece(visit, batch, await desk.totals(batch))
  })
  page(app, site, 'analyst', '/batches/:batch/risk/top', async (visit) => {
    const batch = await riskBatch(visit)
    const position = classifications.indexOf(classificationOf(visit)) + 1
    return topPiece(visit, batch, await desk.exposures(batch, position))
  })
}

/** A piece that comes by itself: with a million answers it may take a second. */
const fetched = (visit: Visit, { id }: Batch, piece: 'totals' | 'top'): Html =>
  html`<div hx-get="/batches/${id}/risk/${piece}?by=${classificationOf(visit)}" hx-trigger="load"><p class="busy">${visit.words.risk.loading}</p></div>`

const riskBatch = async ({ request, site }: Visit): Promise<Batch> => {
  const batch = await batchOrRefuse(site.engine.sql, idIn(request.params, 'batch'))
  if (batch.kind !== 'analysis') throw notFound('risk of such a batch')
  return batch
}

const classificationOf = ({ request }: Visit): Classification => {
  const wanted = queryText(request.query, 'by', 40)
  return classifications.find((name) => name === wanted) ?? 'ALL'
}

const totalsPiece = (visit: Visit, batch: Batch, totals: RiskTotals): Html => {
  const { words, format } = visit
  if (totals.documents === 0) return html`<p class="empty">${words.risk.empty}</p>`
  const by = classificationOf(visit)
  const names = classifications.map((name) => words.terms.classifications[name])
  const plot = { kind: 'bars', labels: names, values: totals.cents.map((cents) => Number(cents) / 100), unit: 'R$' }
  const line = (name: Classification, i: number) =>
    html`<tr><th scope="row"><a href="/batches/${batch.id}/risk?by=${name}"${name === by && html` aria-current="true"`}>${names[i]}</a></th>
      <td class="number optional">${format.count(totals.holders[i] ?? 0)}</td><td class="number">${format.count(totals.counts[i] ?? 0n)}</td><td class="number">${format.cents(totals.cents[i] ?? 0n)}</td></tr>`
  return html`<p>${words.risk.answered(format.count(totals.documents))}</p>
    <div class="plot bars" data-plot="${json(plot)}" role="img" aria-label="${words.risk.plotLabel}"></div>
    <div class="table-scroll"><table><thead><tr><th scope="col">${words.risk.classification}</th><th scope="col" class="number optional">${words.risk.documents}</th>
      <th scope="col" class="number">${words.risk.lawsuits}</th><th scope="col" class="number">${words.risk.amount}</th></tr></thead>
      <tbody>${classifications.map(line)}</tbody></table></div>`
}

const topPiece = (visit: Visit, batch: Batch, exposures: Exposure[]): Html => {
  const { words } = visit
  if (exposures.length === 0) return html`<p class="empty">${words.risk.empty}</p>`
  return html`<div class="table-scroll"><table><thead><tr><th scope="col">${words.rows.document}</th><th scope="col" class="number">${words.risk.lawsuits}</th><th scope="col" class="number">${words.risk.amount}</th></tr></thead>
    <tbody>${exposures.map((exposure) => exposureRow(visit, batch, exposure))}</tbody></table></div>`
}

const exposureRow = ({ format }: Visit, batch: Batch, { line, question, count, cents }: Exposure): Html => html`<tr>
  <th scope="row"><a class="document" href="/batches/${batch.id}/rows/${line}">${format.document(question)}</a></th>
  <td class="number">${count === null ? '–' : format.count(count)}</td><td class="number">${cents === null ? '–' : format.cents(cents)}</td></tr>`

const shown = 50

/** The risk of a batch: its sums are kept once its report is written, anything else is found out when it is asked for. */
const createRiskDesk = (sql: Database) => {
  const sums = remember<RiskTotals>()
  const tops = remember<Exposure[]>()
  const answered = async ({ id }: Batch) => (await countsOf(sql, id)).ok ?? 0
  return {
    async totals(batch: Batch): Promise<RiskTotals> {
      const kept = await readKeptTotals(sql, batch.id)
      return kept ?? sums(`${batch.id}/${await answered(batch)}`, () => addUpTotals(sql, batch.id))
    },
    async exposures(batch: Batch, position: number): Promise<Exposure[]> {
      const key = `${batch.id}/${await answered(batch)}/${position}`
      return tops(key, () => readExposures(sql, batch.id, position, shown))
    },
  }
}

const remembered = 20

/** The last few results: a million answers take a while, and change only when another row is answered. */
const remember = <T>() => {
  const results = new Map<string, Promise<T>>()
  return (key: string, find: () => Promise<T>): Promise<T> => {
    const known = results.get(key) ?? find()
    results.delete(key)
    results.set(key, known)
    known.catch(() => results.delete(key))
    for (const oldest of results.keys()) if (results.size > remembered) results.delete(oldest)
    return known
  }
}
