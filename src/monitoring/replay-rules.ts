import { emptyMemory, judgeChange, type Met, type Rule, recallSnooze } from '../domain/rule.ts'
import type { Sql } from '../store/connect.ts'
import { type JudgedChange, lastNights, listSnoozed, streamAllChanges } from '../store/radars/rules-met.ts'

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
