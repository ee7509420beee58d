import type { Message } from '../../../../src/messages/message.ts'
import type { Sql, Transaction } from '../../../../src/store/connect.ts'
import type { ListState, SweepOrganization } from '../../../../src/store/radars/sweep-organizations.ts'
import { changeLookup } from '../change-lookup.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import type { BatchRecord, LookupRecord, SweepOrganizationRecord } from '../tables.ts'

const keyOf = (sweepId: bigint, organizationId: bigint | number): string => `${sweepId}/${organizationId}`

export const organizationOf = (
  { tables }: ModelDatabase,
  sweepId: bigint,
  organizationId: bigint | number,
): SweepOrganizationRecord => tables.sweepOrganizations.get(keyOf(sweepId, organizationId))!

export const addOrganizations = (sql: Sql, sweepId: bigint, organizationIds: number[]) =>
  on(sql, (database) => {
    const { sweepOrganizations } = database.tables
    for (const id of organizationIds) {
      if (sweepOrganizations.has(keyOf(sweepId, id))) continue
      database.put(sweepOrganizations, keyOf(sweepId, id), { ...blank, sweepId, organizationId: BigInt(id) })
    }
    return []
  })

const blank = {
  list: 'pending',
  message: null,
  triedAt: null,
  totals: 'pending',
} as const

const shown = ({ sweepId: _, ...organization }: SweepOrganizationRecord): SweepOrganization => organization

export const listOrganizations = (sql: Sql, sweepId: bigint) =>
  on(sql, ({ tables }) =>
    [...tables.sweepOrganizations.values()]
      .filter((each) => each.sweepId === sweepId)
      .sort((a, b) => Number(a.organizationId - b.organizationId))
      .map(shown),
  )

export const lockOrganization = async (tx: Sql, sweepId: bigint, organizationId: bigint): Promise<SweepOrganization> =>
  on(tx, (database) => shown(organizationOf(database, sweepId, organizationId)))

type ListRecord = { is: ListState; message: Message | null; triedAt: Date }

export const recordList = (sql: Sql, sweepId: bigint, organizationId: number, list: ListRecord) =>
  on(sql, (database) => {
    const { is, message, triedAt } = list
    database.set(organizationOf(database, sweepId, organizationId), { list: is, message, triedAt })
    return []
  })

/** The open batches without a file whose sweep is over, and those that belong to none. */
const batchesLeft = ({ tables }: ModelDatabase): BatchRecord[] =>
  [...tables.batches.values()].filter(({ hasFile, finishedAt, sweepId }) => {
    const isUnderWay = sweepId !== null && tables.sweeps.get(sweepId)?.state === 'running'
    return !hasFile && finishedAt === null && !isUnderWay
  })

const lookupsOf = ({ tables }: ModelDatabase, { id, kind }: BatchRecord): LookupRecord[] =>
  [...tables.lookups.values()].filter((l) => l.batchId === id && l.kind === kind)

export const cancelUnasked = async (tx: Transaction, now: Date): Promise<void> =>
  on(tx, (database) => {
    const { rows, intents } = database.tables
    const wanted = new Set([...rows.values()].flat().flatMap((row) => (row.cancelled ? [] : [row.lookupId])))
    for (const batch of batchesLeft(database)) {
      if (batch.sweepId === null) continue
      for (const l of lookupsOf(database, batch)) {
        if (l.state !== 'queued' || intents.has(l.id) || wanted.has(l.id)) continue
        changeLookup(database, l, { state: 'cancelled', finishedAt: now, dueAt: null })
      }
    }
  })

export const finishSweepBatches = async (sql: Sql, now: Date): Promise<number> =>
  on(sql, (database) => {
    const over = batchesLeft(database).filter((batch) =>
      lookupsOf(database, batch).every(({ state }) => !['queued', 'sending', 'waiting'].includes(state)),
    )
    for (const b of over) database.set(b, { finishedAt: now, state: b.state === 'running' ? 'done' : b.state })
    return over.length
  })
