import type { Batch } from '../../../store/batches/batches.ts'
import { type RiskTotals, readKeptTotals } from '../../../store/batches/risk.ts'
import { type Html, html } from '../../../writing/html.ts'
import type { Visit } from '../../visit.ts'

/** How much risk a finished analysis found. If the totals are not stored, they load after the page. */
export const riskPanel = async (visit: Visit, batch: Batch): Promise<Html> => {
  const kept = await readKeptTotals(visit.site.engine.sql, batch.id)
  return kept
    ? atRiskPanel(visit, batch, kept)
    : html`<div hx-get="/batches/${batch.id}/risk/panel" hx-trigger="load"><p class="busy">${visit.labels.risk.loading}</p></div>`
}

export const atRiskPanel = (visit: Visit, { id }: Batch, totals: RiskTotals): Html => {
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
