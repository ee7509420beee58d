import type { Kind } from '../../../../src/domain/kind.ts'
import type { Batch } from '../../../../src/store/batches/batches.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { isPaused } from '../rules.ts'
import type { BatchRecord } from '../tables.ts'

type NewBatch = {
  organizationId: number
  kind: Kind
  maxSpend: number | null
  confirmAbove?: number | null
  hasFile?: boolean
  sweepId?: bigint
}

export const insertBatchIn = (
  database: ModelDatabase,
  { organizationId, kind, maxSpend, confirmAbove = null, hasFile = false, sweepId }: NewBatch,
): bigint => {
  const id = database.nextId()
  const batch: BatchRecord = {
    id,
    organizationId,
    kind,
    state: hasFile ? 'importing' : 'running',
    current: true,
    pausedAt: null,
    maxSpend,
    confirmAbove,
    hasFile,
    sweepId: sweepId ?? null,
    rows: 0,
    rejected: 0,
    toBePaid: 0,
    adopted: 0,
    counted: false,
    spent: 0,
    createdAt: database.now(),
    importedAt: null,
    startedAt: null,
    finishedAt: null,
  }
  database.put(database.tables.batches, id, batch)
  return id
}

export const insertSweepBatch = (sql: Sql, batch: NewBatch): Promise<bigint> =>
  on(sql, (database) => insertBatchIn(database, batch))

export const sweepBatches = (sql: Sql, sweepId: bigint, organizationId: bigint) =>
  on(sql, ({ tables }) =>
    [...tables.batches.values()]
      .filter((b) => b.sweepId === sweepId && b.organizationId === Number(organizationId))
      .map(({ id, kind }) => ({ id, kind })),
  )

/** As far as what acts on a batch looks at it. */
export const readBatch = (sql: Sql, id: bigint): Promise<Batch | null> =>
  on(sql, ({ tables }) => {
    const b = tables.batches.get(id)
    if (!b) return null
    const { hasFile, sweepId: _sweep, current: _current, counted: _counted, pausedAt: _pausedAt, ...shown } = b
    const known = { ...shown, organizationId: BigInt(b.organizationId), shown: isPaused(b) ? 'paused' : b.state }
    return { ...known, fileId: hasFile ? 1n : null } as Batch
  })
