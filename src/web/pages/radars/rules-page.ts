import { changedField, changedValue } from '../../../domain/changed-field.ts'
import { type Rule, severities } from '../../../domain/rule.ts'
import { type BackTest, everyRule, type KeptRule, type PastAlert, replayRules } from '../../../monitoring/rules.ts'
import { ruleOperations, watchable } from '../../../operations/rules.ts'
import { listPortfolios } from '../../../store/portfolios/portfolios.ts'
import { ruleConditions } from '../../../views/rule.ts'
import { type Html, html } from '../../../writing/html.ts'
import { queryNumber, sealAddress } from '../../address.ts'
import { buttonForm, hiddenCsrf, optionsOf, select } from '../../parts/form.ts'
import { layout } from '../../parts/layout.ts'
import type { Pages, Visit } from '../../visit.ts'

const shown = 200

/** The rules, and the alerts that each would have sent. An administrator adds, switches and removes rules of the page. */
export const addRulesPage = ({ page, operationForm }: Pages): void => {
  page('analyst', '/rules', async (visit) => {
    const { labels, request, sql, settings } = visit
    const nights = queryNumber(request.query, 'nights', 4_000) || 90
    const kept = await everyRule(sql, settings.rules)
    const rules = kept.map(({ rule }) => rule)
    const tested = rules.length > 0 ? await replayRules(sql, rules, nights) : null
    const body = html`<p class="eyebrow"><a href="/changes">${labels.shell.changes}</a></p><h1>${labels.rules.title}</h1>
      ${tested ? ruleTable(visit, kept, tested) : html`<p class="empty">${labels.rules.empty}</p>`}
      ${visit.may('admin') && ruleForm(visit, await listPortfolios(sql))}
      ${tested && testSection(visit, tested, nights)}`
    return layout(visit, { title: labels.rules.title, section: 'changes', body })
  })
  operationForm(ruleOperations.add, '/rules', () => '/rules?notice=rule_added', ruleFields)
  for (const verb of ['on', 'off'] as const)
    operationForm(ruleOperations[verb], `/rules/:rule/${verb}`, () => '/rules?notice=rule_switched')
  operationForm(ruleOperations.remove, '/rules/:rule/remove', () => '/rules?notice=rule_removed')
}

/** The form has one figure, which is an amount or a count, and a checkbox for each class. */
const ruleFields = ({ name, when, severity, portfolio, quiet, figure, ...form }: Record<string, string>) => ({
  ...{ name, when, severity, portfolio, quietDays: quiet },
  classes: watchable.filter((each) => form[`class_${each}`] === 'on'),
  ...(figure && when === 'count_grows' && { by: Math.ceil(Number(figure)) }),
  ...(figure && when === 'value_grows' && { moreThanCents: Math.round(Number(figure) * 100) }),
})

const ruleTable = (visit: Visit, kept: KeptRule[], { nights, alerts }: BackTest): Html => {
  const { labels, format } = visit
  const { rules: of } = labels
  return html`<section aria-label="${of.title}"><div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${of.rule}</th><th scope="col">${of.severity}</th><th scope="col">${of.when}</th><th scope="col">${labels.terms.fields.portfolio}</th><th scope="col">${of.quiet}</th><th scope="col">${of.would}</th><th scope="col">${labels.batches.state}</th></tr></thead>
    <tbody>${kept.map(({ id, rule, isOn }) => {
      const alertCount = alerts.filter((alert) => alert.rule === rule.name).length
      return html`<tr><th scope="row">${rule.name}</th><td data-label="${of.severity}"><span class="badge severity-${rule.severity}">${labels.severities[rule.severity]}</span></td>
      <td data-label="${of.when}">${whenOf(visit, rule)}</td><td data-label="${labels.terms.fields.portfolio}">${rule.portfolio ?? of.everything}</td>
      <td data-label="${of.quiet}">${rule.quietMs > 0 ? format.duration(rule.quietMs) : '–'}</td>
      <td data-label="${of.would}">${of.wouldNotify(format.count(alertCount), format.count(nights))}</td>
      <td data-label="${labels.batches.state}">${isOn ? of.on : of.off} ${id === null ? html`<small>${of.ofSettings}</small>` : visit.may('admin') && actions(visit, id, rule, isOn)}</td></tr>`
    })}</tbody></table></div></section>`
}

const actions = (visit: Visit, id: bigint, { name }: Rule, isOn: boolean): Html => {
  const { rules: labels } = visit.labels
  const turn = { action: `/rules/${id}/${isOn ? 'off' : 'on'}`, label: isOn ? labels.switchOff : labels.switchOn }
  const remove = { action: `/rules/${id}/remove`, label: labels.remove, ask: labels.removeAsk(name) }
  return html`<div class="actions">${buttonForm(visit, { ...turn, look: 'quiet' })}${buttonForm(visit, { ...remove, look: 'danger' })}</div>`
}

const whenOf = ({ labels, format }: Visit, rule: Rule): string => {
  if (rule.when === 'radar_removed') return labels.rules.removed
  const names: Record<string, string> = { ...labels.terms.classifications, processes: labels.risk.lawsuits }
  const of = rule.classes.map((name) => names[name] ?? name).join(', ')
  if (rule.when === 'appears') return labels.rules.appears(of)
  if (rule.when === 'count_grows') return labels.rules.countGrows(of, format.count(rule.by))
  return labels.rules.valueGrows(of, format.cents(BigInt(rule.moreThanCents)))
}

/** The form for a rule: choices and figures, no expressions. */
const ruleForm = (visit: Visit, portfolios: readonly { name: string }[]): Html => {
  const { labels } = visit
  const { rules: of } = labels
  const names = portfolios.map(({ name }) => name)
  return html`<section aria-labelledby="add-title"><h2 id="add-title">${of.add}</h2><p class="caption">${of.addHint}</p>
    <form method="post" action="/rules">${hiddenCsrf(visit)}<div class="fields">
      <label class="field"><span>${of.rule}</span><input name="name" required maxlength="80" autocomplete="off"></label>
      ${select('when', of.when, optionsOf(ruleConditions, of.conditions), 'value_grows')}
      <label class="field"><span>${of.figure}</span><input type="number" name="figure" min="0.01" step="0.01"></label>
      ${select('severity', of.severity, optionsOf(severities, labels.severities), 'warning')}
      ${select('portfolio', labels.terms.fields.portfolio, optionsOf(names, {}, of.everything), '')}
      <label class="field"><span>${of.quietDays}</span><input type="number" name="quiet" min="0" max="400" value="0"></label></div>
      <details><summary>${of.classes}</summary>${watchable.map((name) => html`<label class="check"><input type="checkbox" name="class_${name}"> ${name === 'processes' ? labels.risk.lawsuits : labels.terms.classifications[name]}</label> `)}</details>
      <button class="primary">${of.addSubmit}</button></form></section>`
}

const testSection = (visit: Visit, { nights, alerts }: BackTest, wanted: number): Html => {
  const { labels, format } = visit
  const documents = new Set(alerts.map(({ organizationId, document }) => `${organizationId} ${document}`)).size
  return html`<section aria-labelledby="test-title"><h2 id="test-title">${labels.rules.test}</h2>
    <p class="lead">${labels.rules.found(format.count(alerts.length), format.count(nights), format.count(documents))}</p>
    <form class="filter" method="get" action="/rules"><label class="field"><span>${labels.rules.nights}</span><input type="number" name="nights" min="1" max="4000" value="${wanted}"></label><button>${labels.rules.again}</button></form>
    ${
      alerts.length > 0 &&
      html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${labels.changes.night}</th><th scope="col">${labels.rules.rule}</th><th scope="col">${labels.terms.fields.radar}</th><th scope="col">${labels.changes.what}</th><th scope="col">${labels.changes.before}</th><th scope="col">${labels.changes.after}</th></tr></thead>
      <tbody>${alerts
        .slice(-shown)
        .reverse()
        .map((alert) => alertRow(visit, alert))}</tbody></table></div>`
    }</section>`
}

const alertRow = ({ labels, format, secret }: Visit, alert: PastAlert): Html => {
  const value = (text: string | null) => changedValue(format, alert.field, text)
  return html`<tr><th scope="row">${format.moment(alert.night)}</th><td data-label="${labels.rules.rule}"><span class="badge severity-${alert.severity}">${alert.rule}</span></td>
    <td data-label="${labels.terms.fields.radar}"><a class="document" href="/radars/${sealAddress(secret, alert)}">${format.document(alert.document)}</a></td>
    <td data-label="${labels.changes.what}">${changedField(labels.terms, alert.field)}</td><td data-label="${labels.changes.before}">${value(alert.before)}</td><td data-label="${labels.changes.after}"><strong>${value(alert.after)}</strong></td></tr>`
}
