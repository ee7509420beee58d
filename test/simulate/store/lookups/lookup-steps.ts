import type { Sql } from '../../../../src/store/connect.ts'
import type { TakenStep, writeSteps as write } from '../../../../src/store/lookups/lookup-steps.ts'
import { countRows } from '../batches/counts.ts'
import { changeLookup } from '../change-lookup.ts'
import { DatabaseError, type ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { isBoughtElsewhere, maySpend } from '../rules.ts'
import type { IntentRecord, LookupRecord } from '../tables.ts'
import { isOfCall, takeIntent } from './intents.ts'

export const endOverBudget = (sql: Sql, ids: bigint[], now: Date): Promise<bigint[]> =>
  on(sql, (database) =>
    ids.filter((id) => {
      const lookup = database.tables.lookups.get(id)
      const batch = lookup && database.tables.batches.get(lookup.batchId)
      if (lookup?.state !== 'queued' || !batch || maySpend(batch)) return false
      changeLookup(database, lookup, {
        state: 'over_budget',
        finishedAt: now,
        dueAt: null,
        message: ['batch_spent'],
      })
      return true
    }),
  )

export const writeSteps = (sql: Sql, taken: TakenStep[], now: Date) =>
  on(sql, (database): Awaited<ReturnType<typeof write>> => {
    const settled = taken.flatMap((each) => {
      const lookup = settle(database, each, now)
      return lookup ? [{ lookup, step: each.step }] : []
    })
    for (const { lookup, step } of settled) {
      if (lookup.state !== 'ok') continue
      if (database.tables.answers.has(lookup.id)) throw new DatabaseError('23505', 'answer_pkey')
      database.put(database.tables.answers, lookup.id, step.answer!)
    }
    const ended = settled.filter(({ lookup }) => lookup.finishedAt !== null)
    const touched = countRows(
      database,
      ended.map(({ lookup }) => lookup.id),
    )
    const released = settled.filter(({ step }) => step.from === 'sending' && step.charged === 'no')
    return {
      touched,
      released: released.map(({ lookup: { kind, batchId, sentAt } }) => ({ kind, batchId, sendingAt: sentAt as Date })),
    }
  })

/** The look-up as the step left it, or null where it was not what the step found. */
const settle = (database: ModelDatabase, { step, sentAt }: TakenStep, now: Date): LookupRecord | null => {
  const intent = takeIntent(database, step.id, sentAt)
  const lookup = database.tables.lookups.get(step.id)
  if (!lookup || !mayBeWritten(lookup, { step, sentAt }, intent)) return null
  changeLookup(database, lookup, {
    state: step.to,
    dueAt: step.dueAt,
    deadlineAt: step.deadlineAt,
    sentAt: intent?.sentAt ?? lookup.sentAt,
    snapshotId: intent?.snapshotId ?? lookup.snapshotId,
    attempts: Math.min(step.attempts, 32_767),
    polls: step.polls,
    workerDeaths: 0,
    unlistedAt: step.unlistedAt,
    refusedAs: step.refusedAs,
    remoteId: step.remote?.id ?? null,
    remoteKey: step.remote?.key ?? null,
    charged: step.charged,
    seen: step.seen ?? lookup.seen,
    asOf: step.asOf,
    message: step.detail ?? (isBoughtElsewhere(lookup) ? lookup.message : null),
    adoptedAt: step.adopted ? now : lookup.adoptedAt,
    finishedAt: step.dueAt === null ? now : null,
  })
  return lookup
}

const mayBeWritten = (lookup: LookupRecord, { step, sentAt }: TakenStep, intent: IntentRecord | null): boolean => {
  if (sentAt) return intent !== null || (lookup.state === 'sending' && isOfCall(lookup, sentAt))
  return lookup.state === step.from && (lookup.state !== 'sending' || isOfCall(lookup, step.sendingAt))
}
