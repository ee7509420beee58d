import { batchOrRefuse } from '../../../batches/batch-or-refuse.ts'
import { type ComparedFigure, type Comparison, compareBatches } from '../../../batches/compare-batches.ts'
import { readOwnRows } from '../../../batches/own-rows.ts'
import { changedField, changedValue } from '../../../domain/changed-field.ts'
import { classifications, isRiskClass } from '../../../domain/classifications.ts'
import { riskVerdicts } from '../../../domain/risk-change.ts'
import { notFound } from '../../../operations/operation.ts'
import type { Batch } from '../../../store/batches/batches.ts'
import { comparableBatches, placesOfLines } from '../../../store/batches/risk.ts'
import type { OwnRow } from '../../../views/own-row.ts'
import { type Html, html } from '../../../writing/html.ts'
import { idIn, queryText, rowAddress } from '../../address.ts'
import { batchName, ownNamesLine } from '../../parts/facts.ts'
import { select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'
import { riskBatch } from './risk-page.ts'

const shown = 100

/** Compares the answers of a batch with those of an earlier one, for the documents in both. */
export const addComparePage = ({ page }: Pages): void => {
  page('analyst', '/batches/:batch/compare', async (visit) => {
    const { labels, request, sql } = visit
    const batch = await riskBatch(visit)
    const earlier = queryText(request.query, 'with') ? await batchOrRefuse(sql, idIn(request.query, 'with')) : null
    if (earlier && earlier.kind !== 'analysis') throw notFound('comparison with such a batch')
    const body = html`<p class="eyebrow"><a href="/batches/${batch.id}">${batchName(visit, batch)}</a> · <a href="/batches/${batch.id}/risk">${labels.risk.title}</a></p>
      <h1>${labels.risk.compare}</h1>${await chooser(visit, batch, earlier)}
      ${earlier && (await comparison(visit, batch, earlier))}`
    return layout(visit, { title: labels.risk.compare, section: 'batches', body })
  })
}

const chooser = async (visit: Visit, batch: Batch, earlier: Batch | null): Promise<Html> => {
  const { labels, format, sql } = visit
  const others = await comparableBatches(sql, batch.id)
  const options = others.map((each) => ({
    value: String(each.id),
    label: `${each.id} · ${batchName(visit, each)} · ${format.moment(each.createdAt)}`,
  }))
  if (options.length === 0) return html`<p class="empty">${labels.risk.noOther}</p>`
  return html`<section><form class="filter" method="get" action="/batches/${batch.id}/compare">
    ${select('with', labels.risk.compareWith, options, String(earlier?.id ?? ''))}<button class="primary">${labels.risk.compareSubmit}</button></form></section>`
}

const comparison = async (visit: Visit, batch: Batch, earlier: Batch): Promise<Html> => {
  const { labels, format, sql } = visit
  const found = await compareBatches(sql, earlier.id, batch.id, shown)
  if (found.shared === 0) return html`<p class="empty">${labels.risk.sharesNothing}</p>`
  const lines = await placesOfLines(sql, batch.id, [...new Set(found.figures.map(({ line }) => line))])
  const own = await readOwnRows(sql, batch, lines)
  const to = `/batches/${batch.id}/compare/${earlier.id}`
  return html`<section aria-labelledby="verdicts-title"><h2 id="verdicts-title">${labels.risk.byClass}</h2><p>${labels.risk.shared(format.count(found.shared))}</p>${verdictTable(visit, found)}</section>
    <section aria-labelledby="figures-title"><h2 id="figures-title">${labels.risk.worstFirst}</h2>
      ${found.figures.length === 0 ? html`<p class="empty">${labels.changes.empty}</p>` : figureTable(visit, batch, found.figures, own)}
      <p class="actions"><a class="button" href="${to}.csv" download>${labels.risk.csv}</a><a class="button" href="${to}.xlsx" download>${labels.risk.workbook}</a></p></section>`
}

const verdictTable = ({ labels, format }: Visit, { classes }: Comparison): Html => {
  const keys = [...classifications.filter(isRiskClass), ...classifications.filter((key) => !isRiskClass(key))]
  const present = keys.filter((key) => riskVerdicts.some((verdict) => classes[key][verdict] > 0))
  if (present.length === 0) return html`<p class="empty">${labels.changes.empty}</p>`
  return html`<div class="table-scroll" tabindex="0" role="region" aria-labelledby="verdicts-title"><table class="dense"><thead><tr><th scope="col">${labels.risk.classification}</th>${riskVerdicts.map((verdict) => html`<th scope="col" class="number">${labels.terms.verdicts[verdict]}</th>`)}</tr></thead>
    <tbody>${present.map((key) => html`<tr><th scope="row">${labels.terms.classifications[key]}</th>${riskVerdicts.map((verdict) => html`<td class="number">${format.count(classes[key][verdict])}</td>`)}</tr>`)}</tbody></table></div>`
}

const figureTable = (visit: Visit, batch: Batch, figures: ComparedFigure[], own: Map<number, OwnRow>): Html => {
  const { labels, format } = visit
  return html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.rows.document}</th><th scope="col">${labels.changes.what}</th><th scope="col">${labels.changes.verdict}</th><th scope="col" class="number">${labels.changes.before}</th><th scope="col" class="number">${labels.changes.after}</th></tr></thead>
    <tbody>${figures.map((figure) => {
      const { field, verdict, before, after } = figure
      return html`<tr><th scope="row"><a class="document" href="${rowAddress(batch, figure)}">${format.document(figure.question)}</a>${ownNamesLine(own.get(figure.line))}</th>
      <td data-label="${labels.changes.what}">${changedField(labels.terms, field)}</td>
      <td data-label="${labels.changes.verdict}"><span class="badge verdict verdict-${verdict}">${labels.terms.verdicts[verdict]}</span></td>
      <td data-label="${labels.changes.before}" class="number">${changedValue(format, field, before)}</td><td data-label="${labels.changes.after}" class="number"><strong>${changedValue(format, field, after)}</strong></td></tr>`
    })}</tbody></table></div>`
}
