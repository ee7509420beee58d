import { classifications } from '../../../domain/classifications.ts'
import { type Kind, spendingKinds } from '../../../domain/kind.ts'
import { portfolioKinds } from '../../../domain/portfolio.ts'
import { formatPurpose } from '../../../domain/purpose.ts'
import { perform } from '../../../operations/operation.ts'
import { lookupOperations } from '../../../operations/person.ts'
import type { PersonLookup, PersonRecord } from '../../../views/person-record.ts'
import { type Html, html, json } from '../../../writing/html.ts'
import { rowAddress } from '../../address.ts'
import { resultCell } from '../../parts/answer-panel.ts'
import { priceText } from '../../parts/facts.ts'
import { hiddenCsrf, organizationSelect, purposeInputs } from '../../parts/form.ts'
import { outcomeBadge } from '../../parts/outcomes.ts'
import type { Visit } from '../../visit.ts'

/** Every look-up about the person, newest first, and the figures of analyses and sweeps over time. */
export const answersSection = (visit: Visit, record: PersonRecord): Html | null => {
  const { labels } = visit
  if (record.lookups.length === 0 && record.snapshots.length === 0) return null
  return html`<section aria-labelledby="answers-title"><h2 id="answers-title">${labels.person.answers}</h2>
    ${riskPlot(visit, record)}
    <div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.rows.asked}</th><th scope="col">${labels.upload.kind}</th><th scope="col">${labels.rows.outcome}</th>
      <th scope="col">${labels.answer.result}</th><th scope="col">${labels.rows.charged}</th><th scope="col">${labels.rows.asOf}</th></tr></thead>
      <tbody>${record.lookups.toReversed().map((each) => lookupRow(visit, each, record))}</tbody></table></div></section>`
}

const lookupRow = (visit: Visit, each: PersonLookup, { rows }: PersonRecord): Html => {
  const { labels, format } = visit
  const own = rows.find(({ batchId }) => batchId === each.batchId)
  const asked = format.moment(each.askedAt)
  return html`<tr><th scope="row">${own ? html`<a href="${rowAddress({ id: own.batchId, layout: own.layout }, own)}">${asked}</a>` : asked}</th>
    <td data-label="${labels.upload.kind}">${labels.terms.kinds[each.kind]}${!own && each.purpose && html`<br><small>${labels.purposes.purpose}: ${formatPurpose(labels.terms.legalBases, each.purpose)}</small>`}</td>
    <td data-label="${labels.rows.outcome}">${outcomeBadge(labels, each.state)}</td>
    <td data-label="${labels.answer.result}">${each.answered && resultCell(visit, each, each)}</td>
    <td data-label="${labels.rows.charged}">${labels.terms.charged[each.charged]} ${each.charged === 'yes' && html`<small>${priceText(visit, each.kind, 1)}</small>`}</td>
    <td data-label="${labels.rows.asOf}" class="nowrap">${each.asOf && format.moment(each.asOf)}</td></tr>`
}

type Point = { at: Date; cents: (bigint | null)[] | null; counts: (number | null)[] | null }

/** A plot needs at least two points. */
const riskPlot = ({ labels }: Visit, { lookups, snapshots }: PersonRecord): Html | null => {
  const points: Point[] = [
    ...lookups
      .filter(({ counts }) => counts)
      .map(({ asOf, finishedAt, askedAt, counts, cents }) => ({ at: asOf ?? finishedAt ?? askedAt, counts, cents })),
    ...snapshots
      .filter(({ counts, verifiedAt }) => counts && verifiedAt)
      .map(({ verifiedAt, counts, cents }) => ({ at: verifiedAt!, counts, cents })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
  if (points.length < 2) return null
  const amounts = (key: (typeof classifications)[number]) => {
    const i = classifications.indexOf(key)
    return points.map(({ cents }) => (cents?.[i] == null ? null : Number(cents[i]) / 100))
  }
  const plot = {
    kind: 'lines',
    times: points.map(({ at }) => Math.floor(at.getTime() / 1000)),
    series: (['ISDEFENDANT_WITH_RISK', 'EXECUTION_WITH_RISK'] as const).map((key) => ({
      label: labels.terms.classifications[key],
      unit: 'BRL',
      values: amounts(key),
    })),
  }
  if (plot.series.every(({ values }) => values.every((value) => value === null))) return null
  return html`<div class="plot lines" data-plot="${json(plot)}" role="img" aria-label="${labels.person.plot}"></div>`
}

/** A button for each kind, with its price: pressing it approves that. */
export const lookupSection = (visit: Visit, { type }: PersonRecord, address: string): Html => {
  const { labels, site } = visit
  const cost = (kind: Kind) =>
    costOf(kind) === 0 ? labels.person.free : (priceText(visit, kind, 1) ?? labels.person.paid)
  return html`<section aria-labelledby="look-up-title"><h2 id="look-up-title">${labels.person.lookup}</h2><p>${labels.person.lookupHint}</p>
    <form class="filter" method="post" action="${address}">${hiddenCsrf(visit)}
      ${organizationSelect(visit, labels.upload.organization)}
      ${site.settings.scr.requireAuthorization && html`<label class="field"><span>${labels.terms.columnRoles.autorizacao}</span><input name="authorization" maxlength="500" autocomplete="off"></label>`}
      ${purposeInputs(visit)}
      ${portfolioKinds.filter((kind) => kind !== 'cnh' || type === 'CPF').map((kind) => html`<button name="kind" value="${kind}">${labels.person.lookUp(labels.terms.kinds[kind], cost(kind))}</button>`)}
    </form></section>`
}

/** What the button of a kind approves. */
const costOf = (kind: Kind): number => (spendingKinds.includes(kind) ? 1 : 0)

export const lookUp = async (visit: Visit, document: string, form: Record<string, string>): Promise<string> => {
  const { csrf: _, ...filled } = Object.fromEntries(Object.entries(form).filter(([, text]) => text !== ''))
  const { batch } = await perform(lookupOperations.lookUp, visit.context, {
    ...filled,
    document,
    maxSpend: costOf(form.kind as Kind),
    name: visit.labels.person.lookupName,
  })
  return `/batches/${batch}`
}
