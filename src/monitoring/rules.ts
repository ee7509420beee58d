import { maskDocuments } from '../domain/mask-documents.ts'
import {
  emptyMemory,
  judgeChange,
  type Memory,
  type Met,
  type Rule,
  recallNotified,
  recallSnooze,
} from '../domain/rule.ts'
import { MessageError } from '../messages/message.ts'
import type { Database, Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import {
  acknowledge,
  deletePageRule,
  insertMet,
  insertPageRule,
  type JudgedChange,
  lastNights,
  listPageRules,
  listSnoozed,
  readLastNotified,
  streamAllChanges,
  streamSweepChanges,
  switchPageRule,
} from '../store/radars/rules-met.ts'
import type { Acknowledgement } from '../views/change.ts'

/** Records for each change of a sweep which rules it met. Judging the same sweep again changes nothing. */
export const judgeChanges = async (tx: Sql, rules: readonly Rule[], sweepId: bigint): Promise<void> => {
  if (rules.length === 0) return
  for await (const changes of streamSweepChanges(tx, sweepId)) {
    const memory = await rememberFor(tx, rules, sweepId, changes)
    const met = changes.flatMap((change) =>
      judgeChange(rules, change, change.night, memory).map((each) => ({ ...each, changeId: change.id })),
    )
    await insertMet(tx, met)
  }
}

const rememberFor = async (
  tx: Sql,
  rules: readonly Rule[],
  sweepId: bigint,
  changes: JudgedChange[],
): Promise<Memory> => {
  const memory = emptyMemory()
  const documents = [...new Set(changes.map(({ document }) => document))]
  for (const past of await readLastNotified(tx, sweepId, documents)) recallNotified(memory, rules, past)
  for (const acknowledgement of await listSnoozed(tx)) recallSnooze(memory, acknowledgement)
  return memory
}

/**
 * Stores the acknowledgement of changes with its note, for the people who see them later: of all of them, or of none.
 * With an end date it snoozes them until then. Returns what is stored.
 */
export const acknowledgeChanges = (
  sql: Database,
  changes: readonly bigint[],
  acknowledgement: { by: string; note: string; until: Date | null; now: Date },
): Promise<Acknowledgement[]> =>
  sql.begin(async (tx) => {
    if (acknowledgement.note.trim() === '') throw new ChangeRefusal(['say_note'])
    const note = maskDocuments(acknowledgement.note.trim().slice(0, 500))
    const found = new Set(await acknowledge(tx, changes, { ...acknowledgement, note }))
    const missing = changes.find((each) => !found.has(each))
    if (missing !== undefined) throw new ChangeRefusal(['no_change', missing])
    const until = acknowledgement.until?.toISOString() ?? null
    const action = until ? 'snooze' : 'acknowledge'
    const subject = changes.length === 1 ? `change ${changes[0]}` : `${changes.length} changes`
    const several = changes.length > 1 && { changes: changes.map(String) }
    await recordAudit(tx, acknowledgement.by, action, subject, { note, until, ...several })
    return changes.map((change) => ({ change: Number(change), note, snoozedUntil: until }))
  })

/** An acknowledgement that cannot be stored; the message says why. */
class ChangeRefusal extends MessageError {
  override readonly name = 'ChangeRefusal'
}

/** An alert that a past sweep would have sent. */
export type PastAlert = JudgedChange & Met

export type BackTest = { nights: number; alerts: PastAlert[] }

/**
 * What these rules would have reported on the last nights, by the same judgement as for live changes.
 *
 * Every stored night is replayed, not only those asked for: whether a rule reports on one night depends on what it
 * reported before. It reads stored changes, each of which is the difference of two snapshots or of two lists.
 */
export const replayRules = async (sql: Sql, rules: readonly Rule[], nights: number): Promise<BackTest> => {
  const wanted = await lastNights(sql, nights)
  const since = wanted.at(-1)?.id
  if (since === undefined) return { nights: 0, alerts: [] }
  const memory = emptyMemory()
  for (const snooze of await listSnoozed(sql)) recallSnooze(memory, snooze)
  const alerts: PastAlert[] = []
  for await (const changes of streamAllChanges(sql)) {
    for (const change of changes) {
      const notified = judgeChange(rules, change, change.night, memory).filter((met) => met.notified)
      if (change.sweepId >= since) alerts.push(...notified.map((met) => ({ ...change, ...met })))
    }
  }
  return { nights: wanted.length, alerts }
}

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
}
