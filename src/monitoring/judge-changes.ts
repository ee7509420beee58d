import { maskDocuments } from '../domain/mask-documents.ts'
import { emptyMemory, judgeChange, type Memory, type Rule, recallSnooze, recallTold } from '../domain/rule.ts'
import { SaidError } from '../domain/said/said-error.ts'
import type { Database, Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import {
  acknowledge,
  type GivenWord,
  insertMet,
  type JudgedChange,
  listSnoozed,
  readLastTold,
  streamSweepChanges,
} from '../store/radars/rules-met.ts'

/** Says with each change of a night which rules it met. Judging the same night again changes nothing. */
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
  for (const past of await readLastTold(tx, sweepId, documents)) recallTold(memory, rules, past)
  for (const word of await listSnoozed(tx)) recallSnooze(memory, word)
  return memory
}

/**
 * Keeps a person's word on a change, with a note for those who come after; until a moment, where it is to be known for a
 * while. Says what is kept of it.
 */
export const acknowledgeChange = (
  sql: Database,
  changeId: bigint,
  word: { by: string; note: string; until: Date | null; now: Date },
): Promise<GivenWord> =>
  sql.begin(async (tx) => {
    if (word.note.trim() === '') throw new ChangeRefusal(['say_note'])
    const note = maskDocuments(word.note.trim().slice(0, 500))
    if (!(await acknowledge(tx, changeId, { ...word, note }))) throw new ChangeRefusal(['no_change', changeId])
    const until = word.until?.toISOString() ?? null
    await recordAudit(tx, word.by, until ? 'snooze' : 'acknowledge', `change ${changeId}`, { note, until })
    return { change: changeId, note, until: word.until }
  })

/** What a person wants to say about a change cannot be said; the message says why. */
class ChangeRefusal extends SaidError {
  override readonly name = 'ChangeRefusal'
  readonly exitCode = 1
}
