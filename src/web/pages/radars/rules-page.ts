import type { FastifyInstance } from 'fastify'
import { changedValue } from '../../../domain/changed-field.ts'
import type { Rule } from '../../../domain/rule.ts'
import { type BackTest, type PastAlert, replayRules } from '../../../monitoring/replay-rules.ts'
import { queryText } from '../../address.ts'
import { type Html, html } from '../../html.ts'
import { layout } from '../../parts/layout.ts'
import { sealAddress } from '../../sealed-address.ts'
import type { Site } from '../../site.ts'
import { page, type Visit } from '../../visit.ts'
import { fieldName } from './change-table.ts'

const shown = 200

/** The rules of the settings, and what they would have said on the last nights. */
export const addRulesPage = (app: FastifyInstance, site: Site, secret: Buffer): void => {
  page(app, site, 'analyst', '/rules', async (visit) => {
    const { words, request } = visit
    const wanted = Number(queryText(request.query, 'nights', 4) ?? '90')
    const nights = Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, 4_000) : 90
    const { rules } = site.settings
    const tested = rules.length > 0 ? await replayRules(site.engine.sql, rules, nights) : null
    const body = html`<p class="eyebrow"><a href="/changes">${words.changes.title}</a></p><h1>${words.rules.title}</h1>
      ${rules.length === 0 ? html`<p class="empty">${words.rules.empty}</p>` : ruleTable(visit, rules)}
      ${tested && testSection(visit, tested, nights, secret)}`
    return layout(visit, { title: words.rules.title, section: 'changes', body })
  })
}

const ruleTable = (visit: Visit, rules: readonly Rule[]): Html => {
  const { words, format } = visit
  return html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.rules.rule}</th><th scope="col">${words.rules.severity}</th><th scope="col">${words.rules.when}</th><th scope="col">${words.rules.quiet}</th></tr></thead>
    <tbody>${rules.map(
      (
        rule,
      ) => html`<tr><th scope="row">${rule.name}</th><td data-label="${words.rules.severity}"><span class="badge severity-${rule.severity}">${words.severities[rule.severity]}</span></td>
      <td data-label="${words.rules.when}">${whenOf(visit, rule)}</td><td data-label="${words.rules.quiet}">${rule.quietMs > 0 ? format.duration(rule.quietMs) : '–'}</td></tr>`,
    )}</tbody></table></div>`
}

const whenOf = ({ words, format }: Visit, rule: Rule): string => {
  if (rule.when === 'radar_removed') return words.rules.removed
  const names: Record<string, string> = { ...words.terms.classifications, processes: words.changes.processes }
  const of = rule.classes.map((name) => names[name] ?? name).join(', ')
  if (rule.when === 'appears') return words.rules.appears(of)
  if (rule.when === 'count_grows') return words.rules.countGrows(of, format.count(rule.by))
  return words.rules.valueGrows(of, format.cents(BigInt(rule.moreThanCents)))
}

const testSection = (visit: Visit, { nights, alerts }: BackTest, wanted: number, secret: Buffer): Html => {
  const { words, format } = visit
  const documents = new Set(alerts.map(({ organizationId, document }) => `${organizationId} ${document}`)).size
  return html`<section aria-labelledby="test-title"><h2 id="test-title">${words.rules.test}</h2>
    <p class="lead">${words.rules.found(format.count(alerts.length), format.count(nights), format.count(documents))}</p>
    <form class="filter" method="get" action="/rules"><label class="field"><span>${words.rules.nights}</span><input type="number" name="nights" min="1" max="4000" value="${wanted}"></label><button>${words.rules.again}</button></form>
    ${
      alerts.length > 0 &&
      html`<div class="table-scroll"><table class="cards"><thead><tr><th scope="col">${words.changes.night}</th><th scope="col">${words.rules.rule}</th><th scope="col">${words.changes.radar}</th><th scope="col">${words.changes.what}</th><th scope="col">${words.changes.before}</th><th scope="col">${words.changes.after}</th></tr></thead>
      <tbody>${alerts
        .slice(-shown)
        .reverse()
        .map((alert) => alertRow(visit, alert, secret))}</tbody></table></div>`
    }</section>`
}

const alertRow = ({ words, format }: Visit, alert: PastAlert, secret: Buffer): Html => {
  const value = (text: string | null) => (text === null ? '–' : changedValue(format, alert.field, text))
  return html`<tr><th scope="row">${format.moment(alert.night)}</th><td data-label="${words.rules.rule}"><span class="badge severity-${alert.severity}">${alert.rule}</span></td>
    <td data-label="${words.changes.radar}"><a class="document" href="/radars/${sealAddress(secret, alert)}">${format.document(alert.document)}</a></td>
    <td data-label="${words.changes.what}">${fieldName(words, alert.field)}</td><td data-label="${words.changes.before}">${value(alert.before)}</td><td data-label="${words.changes.after}"><strong>${value(alert.after)}</strong></td></tr>`
}
