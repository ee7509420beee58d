import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { UnitPrices } from '../domain/amount.ts'
import type { Language } from '../messages/languages.ts'
import type { Message } from '../messages/message.ts'
import { type Batch, isOvertaken, lockExport, readBatch } from '../store/batches/batches.ts'
import { besideAnother, type Database, type Sql, type Transaction } from '../store/connect.ts'
import { BatchRefusal } from './batch-or-refuse.ts'

/** What every report needs: its folder, its time, and how moments, money and text are written. */
export type ReportOptions = {
  folder: string
  now: Date
  settings: { timezone: string; language: Language; budget: { unitPrice: UnitPrices | null } }
  /** The language of the report; else that of the batch, else that of the settings. */
  language?: Language | undefined
}

/** The language of a report's text. Codes and column names stay as they are, for machines. */
export const languageOfReport = (
  batch: Pick<Batch, 'language'>,
  { language, settings }: Pick<ReportOptions, 'language' | 'settings'>,
): Language => language ?? batch.language ?? settings.language

/** Rows are streamed over one connection, so the stored file, which never changes, is read over another. */
export type Sources = { tx: Sql; sql: Database }

/**
 * Runs an export, and names its files.
 *
 * Exports of a batch into one folder take turns, and each begins to read when its turn comes. So the last published files
 * are the newest, and files of two exports never mix. An export that waits holds no connection, because the running one
 * needs a second. Files that may contain a person who was erased meanwhile are deleted again.
 *
 * The transaction only holds the turn. Each of its statements sees the database as of its own start, and none lasts long,
 * so an export of a million rows does not keep PostgreSQL from removing what others delete.
 */
export const inTurn = async <T>(
  sql: Database,
  batchId: bigint,
  { folder }: Pick<ReportOptions, 'folder'>,
  write: (sources: Sources, batch: Batch, place: (suffix: string) => string) => Promise<T>,
): Promise<T> => {
  const placed: string[] = []
  const writeNow = async (tx: Transaction): Promise<{ written: T; batch: Batch } | null> => {
    if (!(await lockExport(tx, batchId, resolve(folder)))) return null
    const batch = await readBatch(tx, batchId)
    if (!batch?.fileId) throw new BatchRefusal(['no_batch', batchId])
    if (!batch.importedAt) throw new BatchRefusal(notYet(batch))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const place = (suffix: string) => placed[placed.push(join(folder, `${batch.name}.${suffix}`)) - 1]!
    try {
      return { written: await write({ tx, sql }, batch, place), batch }
    } catch (error) {
      // The text of the rows was rewritten while it was read: that is why, whatever else went wrong.
      await refuseOvertaken(sql, batch, placed)
      throw error
    }
  }
  for (;;) {
    const turn = await besideAnother(sql, () => sql.begin('read only', writeNow))
    if (turn) {
      const { written, batch } = turn as { written: T; batch: Batch }
      await refuseOvertaken(sql, batch, placed)
      return written
    }
    await setTimeout(nextTryMs)
  }
}

/** Deletes what was written of a batch from which a person was erased meanwhile. */
const refuseOvertaken = async (sql: Database, batch: Batch, written: readonly string[]): Promise<void> => {
  if (!(await isOvertaken(sql, batch))) return
  for (const path of written) await rm(path, { force: true })
  throw new BatchRefusal(['report_overtaken', batch.id])
}

const nextTryMs = 200

/** Every row comes back: a report that does not add up is never published. */
export const assertConserved = (
  batch: Batch,
  reported: number,
  rejected: number,
  states: Map<string, number>,
): void => {
  const counted = sumOf(states)
  const documents = batch.rows * batch.documentsPerRow
  if (reported + rejected === batch.rows && rejected === batch.rejected && counted === documents) return
  throw new Error(
    `Batch ${batch.id} does not add up: ${batch.rows} rows (${batch.rejected} rejected), but ${reported} reported and ${rejected} rejected, and ${counted} outcomes of ${documents} documents`,
  )
}

export const sumOf = (states: Map<string, number>): number => [...states.values()].reduce((sum, rows) => sum + rows, 0)

const notYet = ({ id, state, message }: Batch): Message =>
  state === 'rejected' ? ['batch_rejected', id, message ?? ['text', '']] : ['importing', id]
