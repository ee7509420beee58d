import { parseAmount } from '../../../domain/amount.ts'
import { classifications } from '../../../domain/classifications.ts'
import { term } from '../../../domain/terms/term.ts'
import type { ChangeFilter } from '../../../views/change.ts'
import { type Html, html } from '../../../writing/html.ts'
import { queryText } from '../../address.ts'
import { select } from '../../parts/form.ts'
import type { Visit } from '../../visit.ts'

const states = ['open', 'acknowledged', 'all'] as const

/** The filter in the address. Without one, open changes are shown. */
export const changeFilterOf = ({ request: { query } }: Visit): ChangeFilter => {
  const state = states.find((each) => each === queryText(query, 'state', 20)) ?? 'open'
  return {
    acknowledged: state === 'all' ? undefined : state === 'acknowledged',
    verdict: queryText(query, 'verdict', 20) || undefined,
    class: queryText(query, 'class', 40) || undefined,
    leastCents: parseAmount(queryText(query, 'amount', 30) ?? '') ?? undefined,
    portfolio: queryText(query, 'portfolio', 200) || undefined,
    rule: queryText(query, 'rule', 200) || undefined,
  }
}

type Choices = { sweep: bigint; portfolios: readonly string[]; rules: readonly string[] }

export const changeFilterForm = (visit: Visit, { sweep, portfolios, rules }: Choices): Html => {
  const { labels, request } = visit
  const { acknowledged, verdict, class: of, portfolio, rule } = changeFilterOf(visit)
  const any = { value: '', label: labels.shell.all }
  const named = (names: readonly string[]) => [any, ...names.map((value) => ({ value, label: value }))]
  const state = acknowledged === undefined ? 'all' : acknowledged ? 'acknowledged' : 'open'
  const fields = [
    { value: 'processes', label: labels.changes.processes },
    ...classifications.map((value) => ({ value, label: labels.terms.classifications[value] })),
  ]
  return html`<form class="filter" method="get" action="/changes" data-submit-on-change><input type="hidden" name="sweep" value="${sweep}">
    ${select(
      'state',
      labels.changes.state,
      states.map((value) => ({ value, label: labels.changes.states[value] })),
      state,
    )}
    ${select('verdict', labels.changes.verdict, [any, ...verdicts.map((value) => ({ value, label: term(labels.terms.verdicts, value) }))], verdict ?? '')}
    ${select('class', labels.risk.classification, [any, ...fields], of ?? '')}
    <label class="field"><span>${labels.risk.leastAmount}</span><input name="amount" inputmode="decimal" maxlength="20" value="${queryText(request.query, 'amount', 30) ?? ''}"></label>
    ${portfolios.length > 0 && select('portfolio', labels.rules.portfolio, named(portfolios), portfolio ?? '')}
    ${rules.length > 0 && select('rule', labels.rules.rule, named(rules), rule ?? '')}
    <button>${labels.shell.search}</button></form>`
}

/** The verdicts of radars, in the order in which they are shown. */
const verdicts = [
  'new',
  'worse',
  'removed',
  'deactivated',
  'added',
  'reactivated',
  'renamed',
  'better',
  'cleared',
] as const
