import { maskDocuments } from '../domain/mask-documents.ts'
import type { Rule } from '../domain/rule.ts'
import { MessageError } from '../messages/message.ts'
import type { Database, Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import { deletePageRule, insertPageRule, listPageRules, switchPageRule } from '../store/radars/rules-met.ts'

/** A rule and where it is stored: rules from the settings have no number and are always on. */
export type KeptRule = { id: bigint | null; rule: Rule; isOn: boolean }

type Who = { by: string; now: Date }

/** All rules. Alerts refer to a rule by name, so a rule of the settings hides a rule of the page with the same name. */
export const everyRule = async (sql: Sql, ofSettings: readonly Rule[]): Promise<KeptRule[]> => {
  const taken = new Set(ofSettings.map(({ name }) => name.toLowerCase()))
  const ofPage = (await listPageRules(sql)).filter(({ setting }) => !taken.has(setting.name.toLowerCase()))
  return [
    ...ofSettings.map((rule) => ({ id: null, rule, isOn: true })),
    ...ofPage.map(({ id, setting, isOn }) => ({ id, rule: setting, isOn })),
  ]
}

/** The rules that changes are judged by. */
export const rulesInForce = async (sql: Sql, ofSettings: readonly Rule[]): Promise<Rule[]> =>
  (await everyRule(sql, ofSettings)).filter(({ isOn }) => isOn).map(({ rule }) => rule)

/** Adds a rule, switched off: the back-test shows its alerts before anyone receives one. */
export const addRule = (sql: Database, ofSettings: readonly Rule[], rule: Rule, who: Who): Promise<void> =>
  sql.begin(async (tx) => {
    // The name is part of every notification that the rule causes.
    if (maskDocuments(rule.name) !== rule.name) throw new RuleRefusal(['rule_wrong'])
    const isTaken = ofSettings.some(({ name }) => name.toLowerCase() === rule.name.toLowerCase())
    if (isTaken || (await insertPageRule(tx, rule, who)) === null) throw new RuleRefusal(['rule_exists', rule.name])
    await recordAudit(tx, who.by, 'add rule', `rule ${rule.name}`, { ...rule })
  })

export const switchRule = (sql: Database, id: bigint, isOn: boolean, { by }: Who): Promise<void> =>
  sql.begin(async (tx) => {
    const name = await switchPageRule(tx, id, isOn)
    if (name === null) throw new RuleRefusal(['no_rule'])
    await recordAudit(tx, by, isOn ? 'switch rule on' : 'switch rule off', `rule ${name}`)
  })

export const removeRule = (sql: Database, id: bigint, { by }: Who): Promise<void> =>
  sql.begin(async (tx) => {
    const name = await deletePageRule(tx, id)
    if (name === null) throw new RuleRefusal(['no_rule'])
    await recordAudit(tx, by, 'remove rule', `rule ${name}`)
  })

/** A change of a rule that is not possible; the message says why. */
export class RuleRefusal extends MessageError {
  override readonly name = 'RuleRefusal'
  readonly exitCode = 1
}
