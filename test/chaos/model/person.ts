import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BatchRefusal } from '../../../src/batches/batch-or-refuse.ts'
import type { Steering } from '../../../src/batches/pause-resume-cancel.ts'
import { type Resolving, resolveRow } from '../../../src/batches/resolve.ts'
import { localDay } from '../../../src/domain/calendar.ts'
import { exportQueue } from '../../../src/queue/queues.ts'
import { enqueue } from '../../../src/queue/start-jobs.ts'
import type { Analysis, Happening } from '../../../src/sandbox/records.ts'
import type { Arena } from '../arena.ts'

/** The context of an action by a person; if the action finishes a batch, its report is ordered in the same transaction. */
export const steeringOf = ({ boss }: Arena): Steering => ({
  by: 'chaos',
  now: new Date(),
  deadlineMs: 20 * 60_000,
  async finished(tx, ids) {
    for (const id of ids) await enqueue(boss, exportQueue, { batchId: String(id) }, tx)
  },
})

/** A refusal is a valid answer and changes nothing. Returns whether the action was done. */
export const unlessRefused = async (action: Promise<unknown>): Promise<boolean> => {
  try {
    await action
    return true
  } catch (error) {
    if (error instanceof BatchRefusal) return false
    throw error
  }
}

/** Resolves every parked row by the registry's journal: what was bought is adopted, the rest is sent again. */
export const resolveParked = async (arena: Arena): Promise<number> => {
  const parked = await arena.sql<{ batchId: bigint; line: number; question: string }[]>`
    select distinct on (l.id) r.batch_id, r.line, l.question
      from vigia.lookup l join vigia.batch_row r on r.lookup_id = l.id join vigia.batch b on b.id = r.batch_id
     where l.state = 'unknown_outcome' and not r.cancelled and b.imported_at is not null
     order by l.id, r.batch_id, r.line`
  const bought = await purchasesIn(arena)
  for (const { batchId, line, question } of parked) {
    const purchase = bought.find(({ document }) => document === question)
    const text = purchase ? { adopt: String(purchase.id) } : ('resend' as const)
    await unlessRefused(resolveRow(arena.sql, batchId, { line }, text, resolvingOf(arena, bought)))
  }
  return parked.length
}

const purchasesIn = async ({ home }: Arena): Promise<Analysis[]> => {
  const lines = (await readFile(join(home, 'sandbox.journal'), 'utf8')).split('\n').filter(Boolean)
  const happenings = lines.map((line) => JSON.parse(line) as Happening)
  return happenings.flatMap((happening) => (happening.type === 'analysis' ? [happening.analysis] : []))
}

const resolvingOf = (arena: Arena, bought: Analysis[]): Resolving => ({
  ...steeringOf(arena),
  today: (moment) => localDay(moment, 'America/Sao_Paulo'),
  purchases: async (_lane, { number }) =>
    bought
      .filter(({ document }) => document === number)
      .map(({ id, uniqueId }) => ({ id: String(id), key: String(uniqueId) })),
})
