import { parseAmount } from '../../../domain/amount.ts'
import { classifications, isRiskClass } from '../../../domain/classifications.ts'
import { defaultWeights, type Weights } from '../../../domain/exposure.ts'
import type { RankingFilter } from '../../../store/batches/risk.ts'
import { attribute, type Html, html } from '../../../writing/html.ts'
import { queryOf, queryText } from '../../address.ts'
import { select } from '../../parts/form.ts'
import type { Visit } from '../../visit.ts'

const heaviest = 100

/** The ranking in an address: a weight under the name of each class, and the filters. */
export const rankingFilterOf = ({ request }: Visit): RankingFilter => {
  const { query } = request
  const given = weightsIn(query)
  const one = classifications.find((key) => key === queryText(query, 'by', 40))
  const count = queryText(query, 'count', 9)
  return {
    weights: Object.keys(given).length > 0 ? given : one ? { [one]: 1 } : defaultWeights,
    having: classifications.find((key) => key === queryText(query, 'class', 40)),
    leastCents: parseAmount(queryText(query, 'amount', 30) ?? '') ?? undefined,
    leastCount: count && /^\d+$/.test(count) ? Number(count) : undefined,
    onlyRisk: queryText(query, 'risk') === '1',
  }
}

const weightsIn = (query: unknown): Weights =>
  Object.fromEntries(
    classifications.flatMap((key) => {
      const weight = Number(queryText(query, key, 3) ?? 0)
      return Number.isInteger(weight) && weight > 0 && weight <= heaviest ? [[key, weight]] : []
    }),
  )

/** The query of the same ranking, for its fragments and downloads. */
export const rankingQuery = (visit: Visit): string => {
  const { weights, having, leastCount, onlyRisk } = rankingFilterOf(visit)
  const amount = queryText(visit.request.query, 'amount', 30)
  return queryOf({ ...weights, class: having, amount, count: leastCount, risk: onlyRisk ? '1' : undefined })
}

/** The form for the weights of the classes and the filters. */
export const rankingForm = (visit: Visit, address: string): Html => {
  const { labels, request } = visit
  const { weights, having, leastCount, onlyRisk } = rankingFilterOf(visit)
  const names = labels.terms.classifications
  const weight = (key: (typeof classifications)[number]) =>
    html`<label class="weight"><input type="number" name="${key}" min="0" max="${heaviest}" step="1" value="${weights[key] ?? 0}"><span>${names[key]}</span></label>`
  return html`<form class="ranking" method="get" action="${address}">
    <div class="filter">${select('class', labels.risk.having, [{ value: '', label: labels.shell.all }, ...classifications.map((value) => ({ value, label: names[value] }))], having ?? '')}
      <label class="field"><span>${labels.risk.leastAmount}</span><input name="amount" inputmode="decimal" maxlength="20" value="${queryText(request.query, 'amount', 30) ?? ''}"></label>
      <label class="field"><span>${labels.risk.leastCount}</span><input name="count" type="number" min="0" max="999999" value="${leastCount ?? ''}"></label>
      <label class="check"><input type="checkbox" name="risk" value="1"${attribute('checked', onlyRisk === true)}> ${labels.risk.onlyRisk}</label>
      <button class="primary">${labels.risk.rank}</button></div>
    <details${attribute('open', rankingQuery(visit) !== '' && Object.keys(weightsIn(request.query)).length > 0)}><summary>${labels.risk.weights}</summary>
      <p class="quiet-text">${labels.risk.weightsHint}</p>
      <div class="weights">${classifications.filter(isRiskClass).map(weight)}${classifications.filter((key) => !isRiskClass(key)).map(weight)}</div></details>
  </form>`
}
