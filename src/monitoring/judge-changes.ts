import { maskDocuments } from '../domain/mask-documents.ts'
import { emptyMemory, judgeChange, type Memory, type Rule, recallNotified, recallSnooze } from '../domain/rule.ts'
import { MessageError } from '../messages/message.ts'
import type { Database, Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import {
  type Acknowledgement,
  acknowledge,
  insertMet,
  type JudgedChange,
  listSnoozed,
  readLastNotified,
  streamSweepChanges,
} from '../store/radars/rules-met.ts'

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
    return changes.map((change) => ({ change, note, until: acknowledgement.until }))
  })

/** An acknowledgement that cannot be stored; the message says why. */
class ChangeRefusal extends MessageError {
  override readonly name = 'ChangeRefusal'
  readonly exitCode = 1
}
