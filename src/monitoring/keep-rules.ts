import { maskDocuments } from '../domain/mask-documents.ts'
import { MessageError } from '../domain/messages/message-error.ts'
import type { Rule } from '../domain/rule.ts'
import type { Database, Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import { deletePageRule, insertPageRule, listPageRules, switchPageRule } from '../store/radars/rules.ts'

/** A rule and where it is kept: those of the settings have no number and are always on. */
export type KeptRule = { id: bigint | null; rule: Rule; isOn: boolean }

type Who = { by: string; now: Date }

/** Every rule there is. What was told is remembered by name, so one of the settings hides one of the page that is called the same. */
export const everyRule = async (sql: Sql, ofSettings: readonly Rule[]): Promise<KeptRule[]> => {
  const taken = new Set(ofSettings.map(({ name }) => name.toLowerCase()))
  const ofPage = (await listPageRules(sql)).filter(({ setting }) => !taken.has(setting.name.toLowerCase()))
  return [
    ...ofSettings.map((rule) => ({ id: null, rule, isOn: true })),
    ...ofPage.map(({ id, setting, isOn }) => ({ id, rule: setting, isOn })),
  ]
}

/** The rules that nights and runs are judged by. */
export const rulesInForce = async (sql: Sql, ofSettings: readonly Rule[]): Promise<Rule[]> =>
  (await everyRule(sql, ofSettings)).filter(({ isOn }) => isOn).map(({ rule }) => rule)

/** Takes a rule up, switched off: the back-test says what it would have told before anybody is told anything. */
export const addRule = (sql: Database, ofSettings: readonly Rule[], rule: Rule, who: Who): Promise<void> =>
  sql.begin(async (tx) => {
    // It stands in every letter that it causes.
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

/** What a person wants of a rule cannot be done; the message says why. */
export class RuleRefusal extends MessageError {
  override readonly name = 'RuleRefusal'
  readonly exitCode = 1
}
