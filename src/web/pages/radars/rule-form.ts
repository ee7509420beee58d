import { severities } from '../../../domain/rule.ts'
import { type Html, html } from '../../../writing/html.ts'
import { ruleConditions, watchable } from '../../actions/rule.ts'
import { hiddenCsrf, select } from '../../parts/form.ts'
import type { Visit } from '../../visit.ts'

/** Plain choices, no expression: what an administrator may ask to be told of. */
export const ruleForm = (visit: Visit, portfolios: readonly { name: string }[]): Html => {
  const { words } = visit
  const { rules: of } = words
  const conditions = ruleConditions.map((value) => ({ value, label: of.conditions[value] }))
  const loud = severities.map((value) => ({ value, label: words.severities[value] }))
  const lists = [{ value: '', label: of.everything }, ...portfolios.map(({ name }) => ({ value: name, label: name }))]
  return html`<section aria-labelledby="add-title"><h2 id="add-title">${of.add}</h2><p class="caption">${of.addHint}</p>
    <form method="post" action="/rules">${hiddenCsrf(visit)}<div class="fields">
      <label class="field"><span>${of.rule}</span><input name="name" required maxlength="80" autocomplete="off"></label>
      ${select('when', of.when, conditions, 'value_grows')}
      <label class="field"><span>${of.figure}</span><input type="number" name="figure" min="0.01" step="0.01"></label>
      ${select('severity', of.severity, loud, 'warning')}
      ${select('portfolio', of.portfolio, lists, '')}
      <label class="field"><span>${of.quietDays}</span><input type="number" name="quiet" min="0" max="400" value="0"></label></div>
      <details><summary>${of.classes}</summary>${watchable.map((name) => html`<label class="check"><input type="checkbox" name="class_${name}"> ${nameOf(visit, name)}</label> `)}</details>
      <button class="primary">${of.addSubmit}</button></form></section>`
}

const nameOf = ({ words }: Visit, name: (typeof watchable)[number]): string =>
  name === 'processes' ? words.changes.processes : words.terms.classifications[name]
