import { batchOrRefuse } from '../../../batches/batch-or-refuse.ts'
import { readOwnRows } from '../../../batches/own-rows.ts'
import { parseAmount } from '../../../domain/amount.ts'
import { type Classification, classifications, isRiskClass, notSearched } from '../../../domain/classifications.ts'
import { type Addend, addendsOf, defaultWeights, scoreOf, type Weights } from '../../../domain/exposure.ts'
import { notFound } from '../../../operations/operation.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import { countsOf } from '../../../store/batches/counts.ts'
import {
  addUpTotals,
  type Ranked,
  type RankingFilter,
  type RiskTotals,
  readKeptTotals,
  readRanking,
} from '../../../store/batches/risk.ts'
import type { Database } from '../../../store/connect.ts'
import type { OwnRow } from '../../../views/own-row.ts'
import { attribute, type Html, html, json } from '../../../writing/html.ts'
import { idIn, queryNumber, queryOf, queryText, rowAddress } from '../../address.ts'
import { batchName, ownNamesLine } from '../../parts/facts.ts'
import { optionsOf, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'

/** The totals of an analysis batch, and the documents with the highest exposure. */
export const addRiskPage = ({ page }: Pages): void => {
  const rankings = remember<Ranked[]>()
  page('analyst', '/batches/:batch/risk', async (visit) => {
    const batch = await riskBatch(visit)
    const { labels } = visit
    const body = html`<p class="eyebrow"><a href="/batches/${batch.id}">${batchName(visit, batch)}</a></p><h1>${labels.risk.title}</h1>
      <div class="columns risk">
        <section aria-labelledby="totals-title"><h2 id="totals-title">${labels.risk.totals}</h2>${fetched(visit, batch, 'totals')}</section>
        <section aria-labelledby="top-title"><h2 id="top-title">${labels.risk.top}</h2>
          ${rankingForm(visit, `/batches/${batch.id}/risk`)}${fetched(visit, batch, 'top')}
          <p class="actions"><a class="button" href="/batches/${batch.id}/risk/ranking.csv${rankingQuery(visit)}" download>${labels.risk.csv}</a>
            <a class="button" href="/batches/${batch.id}/risk/ranking.xlsx${rankingQuery(visit)}" download>${labels.risk.workbook}</a>
            <a class="button" href="/batches/${batch.id}/compare">${labels.risk.compare}</a></p></section></div>`
    return layout(visit, { title: labels.risk.title, section: 'batches', body, plots: true })
  })
  page('analyst', '/batches/:batch/risk/totals', async (visit) => {
    const batch = await riskBatch(visit)
    return totalsPiece(visit, batch, await totalsOf(visit.sql, batch))
  })
  page('analyst', '/batches/:batch/risk/panel', async (visit) => {
    const batch = await riskBatch(visit)
    return atRiskPanel(visit, batch, await totalsOf(visit.sql, batch))
  })
  page('analyst', '/batches/:batch/risk/top', async (visit) => {
    const batch = await riskBatch(visit)
    const ranked = await rankings(`${await versionOf(visit.sql, batch)}/${rankingQuery(visit)}`, () =>
      readRanking(visit.sql, batch.id, rankingFilterOf(visit), shown),
    )
    return topPiece(visit, batch, ranked, await readOwnRows(visit.sql, batch, ranked))
  })
}

/** A fragment that loads after the page: with a million answers it may take a second. */
const fetched = (visit: Visit, { id }: Batch, piece: 'totals' | 'top'): Html =>
  html`<div hx-get="/batches/${id}/risk/${piece}${rankingQuery(visit)}" hx-trigger="load"><p class="busy">${visit.labels.risk.loading}</p></div>`

export const riskBatch = async ({ request, sql }: Visit): Promise<Batch> => {
  const batch = await batchOrRefuse(sql, idIn(request.params, 'batch'))
  if (batch.kind !== 'analysis') throw notFound('risk of such a batch')
  return batch
}

const totalsPiece = (visit: Visit, batch: Batch, totals: RiskTotals): Html => {
  const { labels, format } = visit
  if (totals.documents === 0) return html`<p class="empty">${labels.risk.empty}</p>`
  const { weights } = rankingFilterOf(visit)
  const names = classifications.map((name) => labels.terms.classifications[name])
  const bars = names
    .map((label, i) => ({ label, value: inReais(totals.cents[i] ?? null) }))
    .toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1))
  const plot = {
    kind: 'bars',
    labels: bars.map(({ label }) => label),
    values: bars.map(({ value }) => value),
    unit: 'BRL',
  }
  const line = (name: Classification, i: number) =>
    html`<tr><th scope="row"><a href="/batches/${batch.id}/risk?by=${name}"${(weights[name] ?? 0) > 0 && html` aria-current="true"`}>${names[i]}</a></th>
      <td class="number optional">${format.count(totals.holders[i])}</td><td class="number">${format.count(totals.counts[i])}</td><td class="number">${format.cents(totals.cents[i])}</td></tr>`
  return html`<p>${labels.risk.answered(format.count(totals.documents))}</p>
    <div class="plot bars" data-plot="${json(plot)}" role="img" aria-label="${labels.risk.plotLabel}"></div>
    <div class="table-scroll" tabindex="0" role="region" aria-labelledby="totals-title"><table><thead><tr><th scope="col">${labels.risk.classification}</th><th scope="col" class="number optional">${labels.risk.documents}</th>
      <th scope="col" class="number">${labels.risk.lawsuits}</th><th scope="col" class="number">${labels.risk.amount}</th></tr></thead>
      <tbody>${classifications.map(line)}</tbody></table></div>`
}

const inReais = (cents: bigint | null): number | null => (cents === null ? null : Number(cents) / 100)

const topPiece = (visit: Visit, batch: Batch, ranked: Ranked[], own: Map<number, OwnRow>): Html => {
  const { labels } = visit
  if (ranked.length === 0) return html`<p class="empty">${labels.risk.nobody}</p>`
  const { weights } = rankingFilterOf(visit)
  return html`<div class="table-scroll" tabindex="0" role="region" aria-labelledby="top-title"><table class="cards ranked"><thead><tr><th scope="col">${labels.rows.document}</th><th scope="col">${labels.risk.addends}</th><th scope="col" class="number">${labels.risk.sum}</th></tr></thead>
    <tbody>${ranked.map((each) => rankedRow(visit, batch, each, addendsOf(each, weights), own.get(each.line)))}</tbody></table></div>`
}

const rankedRow = (
  visit: Visit,
  batch: Batch,
  { line, part, question, ...ranked }: Ranked,
  addends: Addend[],
  own?: OwnRow,
): Html => {
  const { labels, format } = visit
  const unsearched = notSearched(ranked).map((key) => labels.terms.classifications[key])
  return html`<tr>
  <th scope="row"><a class="document" href="${rowAddress(batch, { line, part })}">${format.document(question)}</a>${ownNamesLine(own)}</th>
  <td data-label="${labels.risk.addends}" class="addends">${addends.map((each) => addendText(visit, each))}${unsearched.length > 0 && html`<small>${labels.terms.notSearched}: ${unsearched.join(', ')}</small>`}</td>
  <td data-label="${labels.risk.sum}" class="number"><strong>${format.cents(scoreOf(addends))}</strong></td></tr>`
}

/** `R$ 12.345,00 × 2`, and below it `Defendant, at risk · 3`. */
const addendText = ({ labels, format }: Visit, { key, weight, count, cents }: Addend): Html =>
  html`<small${count === 0 && cents === 0n && html` class="none"`}><span class="nowrap amount">${format.cents(cents)}${weight !== 1 && html` × ${weight}`}</span> <span class="nowrap">${labels.terms.classifications[key]} · ${format.count(count)}</span></small>`

const shown = 50

/** The totals are stored once the report is written. */
const totalsOf = async (sql: Database, { id }: Batch): Promise<RiskTotals> =>
  (await readKeptTotals(sql, id)) ?? addUpTotals(sql, id)

/** Erasing a person changes answers, and the report of the batch is then written again. */
const versionOf = async (sql: Database, { id, exportedAt }: Batch): Promise<string> =>
  `${id}/${(await countsOf(sql, id)).ok ?? 0}/${exportedAt?.getTime() ?? ''}`

const remembered = 20

/** Caches the last few results: with a million answers they take long, and change only when a row is answered. */
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

/** How much risk a finished analysis found. If the totals are not stored, they load after the page. */
export const riskPanel = async (visit: Visit, batch: Batch): Promise<Html> => {
  const kept = await readKeptTotals(visit.sql, batch.id)
  return kept
    ? atRiskPanel(visit, batch, kept)
    : html`<div hx-get="/batches/${batch.id}/risk/panel" hx-trigger="load"><p class="busy">${visit.labels.risk.loading}</p></div>`
}

const atRiskPanel = (visit: Visit, { id }: Batch, totals: RiskTotals): Html => {
  const { labels, format } = visit
  const { documents, atRisk, unclear, atRiskCents } = totals
  if (documents === 0) return html``
  const all = format.count(documents)
  const tone = atRisk > 0 ? 'bad' : unclear > 0 ? 'warn' : 'good'
  return html`<section class="at-risk ${tone}" aria-label="${labels.risk.title}">
    <p class="verdict ${tone}">${atRisk > 0 ? labels.risk.atRisk(format.count(atRisk), all) : labels.risk.noneAtRisk(all)}</p>
    ${atRisk > 0 && atRiskCents !== null && atRiskCents > 0n && html`<p><strong>${labels.risk.atLeast(format.cents(atRiskCents))}</strong> <small>${labels.risk.atLeastHint}</small></p>`}
    ${unclear > 0 && html`<p>${labels.risk.unclear(format.count(unclear))}</p>`}
    ${atRisk > 0 && html`<a class="button primary" href="/batches/${id}/risk">${labels.risk.ranking}</a>`}</section>`
}

const heaviest = 100

/** The ranking in an address: a weight under the name of each class, and the filters. */
export const rankingFilterOf = ({ request }: Visit): RankingFilter => {
  const { query } = request
  const given = weightsIn(query)
  const one = classifications.find((key) => key === queryText(query, 'by', 40))
  return {
    weights: Object.keys(given).length > 0 ? given : one ? { [one]: 1 } : defaultWeights,
    having: classifications.find((key) => key === queryText(query, 'class', 40)),
    leastCents: parseAmount(queryText(query, 'amount', 30) ?? '') ?? undefined,
    leastCount: queryNumber(query, 'count', 999_999_999) || undefined,
    onlyRisk: queryText(query, 'risk') === '1',
  }
}

const weightsIn = (query: unknown): Weights =>
  Object.fromEntries(
    classifications.flatMap((key) => {
      const weight = queryNumber(query, key, heaviest)
      return weight > 0 ? [[key, weight]] : []
    }),
  )

/** The query of the same ranking, for its fragments and downloads. */
const rankingQuery = (visit: Visit): string => {
  const { weights, having, leastCount, onlyRisk } = rankingFilterOf(visit)
  const amount = queryText(visit.request.query, 'amount', 30)
  return queryOf({ ...weights, class: having, amount, count: leastCount, risk: onlyRisk ? '1' : undefined })
}

/** The form for the weights of the classes and the filters. */
const rankingForm = (visit: Visit, address: string): Html => {
  const { labels, request } = visit
  const { weights, having, leastCount, onlyRisk } = rankingFilterOf(visit)
  const names = labels.terms.classifications
  const weight = (key: (typeof classifications)[number]) =>
    html`<label class="weight"><input type="number" name="${key}" min="0" max="${heaviest}" step="1" value="${weights[key] ?? 0}"><span>${names[key]}</span></label>`
  return html`<form class="ranking" method="get" action="${address}">
    <div class="filter">${select('class', labels.risk.classification, optionsOf(classifications, names, labels.shell.all), having ?? '')}
      <label class="field"><span>${labels.risk.leastAmount}</span><input name="amount" inputmode="decimal" maxlength="20" value="${queryText(request.query, 'amount', 30) ?? ''}"></label>
      <label class="field"><span>${labels.risk.leastCount}</span><input name="count" type="number" min="0" max="999999" value="${leastCount ?? ''}"></label>
      <label class="check"><input type="checkbox" name="risk" value="1"${attribute('checked', onlyRisk === true)}> ${labels.risk.onlyRisk}</label>
      <button class="primary">${labels.risk.rank}</button></div>
    <details${attribute('open', rankingQuery(visit) !== '' && Object.keys(weightsIn(request.query)).length > 0)}><summary>${labels.risk.weights}</summary>
      <p class="quiet-text">${labels.risk.weightsHint}</p>
      <div class="weights">${classifications.filter(isRiskClass).map(weight)}${classifications.filter((key) => !isRiskClass(key)).map(weight)}</div></details>
  </form>`
}
