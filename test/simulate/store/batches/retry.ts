import { spendingKinds } from '../../../../src/domain/kind.ts'
import type { FinalState } from '../../../../src/domain/lookup.ts'
import type { Sql, Transaction } from '../../../../src/store/connect.ts'
import type { Asked, Question } from '../../../../src/store/lookups/ask-lookups.ts'
import type { ModelDatabase } from '../database.ts'
import { handleOf, on } from '../handle.ts'
import { byText, isErased, rowOutcome } from '../rules.ts'
import { least } from './batch-actions.ts'

export const lockRetries = (tx: Transaction, _id: bigint) => on(tx, () => [])

type RetriedRow = Question & { line: number }

const retried = (tx: Sql): RetriedRow[] => (handleOf(tx).temporary?.get('retried_row') ?? []) as RetriedRow[]

export const setRowsApart = (tx: Transaction, batchId: bigint, states: readonly FinalState[]): Promise<number> =>
  on(tx, ({ tables }) => {
    const rows = (tables.rows.get(batchId) ?? []).flatMap((row): RetriedRow[] => {
      const l = tables.lookups.get(row.lookupId)!
      if (!(states as readonly string[]).includes(rowOutcome(row, l)) || isErased(l)) return []
      return [{ line: row.line, question: l.question, documentType: l.documentType, label: l.label }]
    })
    handleOf(tx).temporary?.set('retried_row', rows)
    return rows.length
  })

export const quoteCollected = (tx: Transaction) => on(tx, () => [])

export const nextQuestions = (tx: Transaction, after: string, limit: number) =>
  on(tx, (): Question[] =>
    [...Map.groupBy(retried(tx), ({ question }) => question)]
      .filter(([question]) => question > after)
      .sort(([a], [b]) => byText(a, b))
      .slice(0, limit)
      .map(([question, [first]]) => ({ question, documentType: first!.documentType, label: first!.label })),
  )

export const pointRows = (tx: Transaction, batchId: bigint, asked: Asked[]): Promise<void> =>
  on(tx, (database) => {
    const rows = database.tables.rows.get(batchId) ?? []
    for (const { id, question, made } of asked) {
      const lines = retried(tx)
        .filter((row) => row.question === question)
        .map(({ line }) => line)
        .sort((a, b) => a - b)
      for (const [place, line] of lines.entries()) {
        const row = rows.find((each) => each.line === line)
        if (row) database.set(row, { lookupId: id, cancelled: false, pays: made && place === 0 })
      }
    }
  })

/** Look-ups of its own that a batch has not begun. */
const ownQueued = ({ tables }: ModelDatabase, batchId: bigint): number => {
  const { kind } = tables.batches.get(batchId)!
  const isQueued = ({ state, id }: { state: string; id: bigint }): boolean =>
    state === 'queued' && !tables.intents.has(id)
  return [...tables.lookups.values()].filter((l) => l.batchId === batchId && l.kind === kind && isQueued(l)).length
}

export const countOwnQueued = (sql: Sql, batchId: bigint): Promise<number> =>
  on(sql, (database) => ownQueued(database, batchId))

export const reopenForRetry = (sql: Sql, batchId: bigint, approved: number) =>
  on(sql, (database) => {
    const b = database.tables.batches.get(batchId)!
    const toBePaid = spendingKinds.includes(b.kind) ? b.spent + ownQueued(database, batchId) : 0
    const confirmAbove =
      b.confirmAbove === null ? null : Math.max(b.confirmAbove, least(b.spent + approved, b.maxSpend))
    const pausedAt = b.finishedAt ? null : b.pausedAt
    database.set(b, { state: 'running', pausedAt, finishedAt: null, toBePaid, confirmAbove })
    return []
  })
