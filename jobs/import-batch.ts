import type { Layout } from '../src/batches/layout.ts'
import { exportQueue, importQueue } from '../src/batches/queues.ts'
import { readRow } from '../src/batches/read-row.ts'
import { endCancelled } from '../src/batches/steer.ts'
import { readStoredFile } from '../src/batches/stored-file.ts'
import type { Columns } from '../src/csv/columns.ts'
import type { CsvRecord } from '../src/csv/csv-record.ts'
import { FileProblem } from '../src/csv/file-problem.ts'
import { openCsv } from '../src/csv/read.ts'
import { spendingKinds } from '../src/domain/kind.ts'
import { enqueue } from '../src/queue/start-jobs.ts'
import { type Asking, askLookups, type Question } from '../src/store/ask-lookups.ts'
import { type Batch, readBatch, rejectBatch } from '../src/store/batches.ts'
import { lockShared, recount } from '../src/store/counts.ts'
import { analyzeTables, copyRows, finishImport, lockImport, type NewRow, recordProgress } from '../src/store/import.ts'
import { cancelQueued, handOver } from '../src/store/steering.ts'
import { job, type Tools } from './tools.ts'

/**
 * Turns a stored file into rows and look-ups.
 *
 * A chunk is one transaction: its look-ups, its rows and how far it came commit together, so an import that was
 * killed goes on after its last chunk, and two of the same batch cannot write a row twice.
 */
export const importBatch = job({
  ...importQueue,
  retries: 100,

  async work({ batchId }: { batchId: string }, tools) {
    const batch = await readBatch(tools.sql, BigInt(batchId))
    if (!batch || batch.importedAt || !['importing', 'cancelled'].includes(batch.state)) return
    const { sql, boss, signal, clock } = tools
    try {
      const { ended, blankLines } = await importRows(batch, tools)
      if (ended) await finish(batch, blankLines, tools)
      else if (signal.aborted) await enqueue(boss, importQueue, { batchId })
    } catch (problem) {
      if (!(problem instanceof FileProblem)) throw problem
      await rejectBatch(sql, batch.id, problem.message, clock())
    }
  },
})

type Working = Tools & { signal: AbortSignal }

/** Reads the next rows while the last ones are written; ends early when the worker stops or the batch was cancelled. */
const importRows = async (batch: Batch, tools: Working): Promise<{ ended: boolean; blankLines: number }> => {
  const { dialect, columns } = batch.layout as Layout
  const csv = await openCsv(readStoredFile(tools.sql, batch.fileId!), dialect, { batchSize: 5_000 })
  let writing: Promise<boolean> = Promise.resolve(true)
  for await (const records of csv.records) {
    const rows = records.map((record) => readRecord(record, columns, batch))
    if (!(await writing) || tools.signal.aborted) return { ended: false, blankLines: 0 }
    writing = writeRows(batch, rows, tools)
    writing.catch(() => {})
  }
  return { ended: await writing, blankLines: csv.blankLines() }
}

type Row = Omit<NewRow, 'lookupId' | 'first'> & { question: Question | null }

const readRecord = (record: CsvRecord, columns: Columns, { kind }: Batch): Row => {
  const row = readRow(record, columns, kind)
  const place = { line: record.line, start: record.start, size: record.end - record.start }
  if ('rejected' in row) {
    return { ...place, question: null, repair: null, rejectReason: row.rejected, rejectDetail: row.detail }
  }
  return { ...place, question: row.question, repair: row.repair, rejectReason: null, rejectDetail: null }
}

/** False when the batch is no longer being imported: finished by another worker, or cancelled. */
const writeRows = (batch: Batch, all: Row[], { sql, settings, clock }: Tools): Promise<boolean> =>
  sql.begin(async (tx) => {
    const importedTo = await lockImport(tx, batch.id)
    if (importedTo === null) return false
    const rows = all.filter(({ line }) => line > importedTo)
    const last = rows.at(-1)
    if (!last) return true
    const questions = new Map(rows.flatMap(({ question }) => (question ? [[question.question, question]] : [])))
    const asked = await askLookups(tx, [...questions.values()], askingOf(batch, settings, clock()))
    const lookups = new Map(asked.map((each) => [each.question, { ...each, first: each.made }]))
    await copyRows(
      tx,
      batch.id,
      rows.map((row) => withLookup(row, lookups)),
    )
    const toBePaid = spendingKinds.includes(batch.kind) ? asked.filter(({ payable }) => payable).length : 0
    const rejected = rows.filter(({ rejectReason }) => rejectReason).length
    await recordProgress(tx, batch.id, { line: last.line, rows: rows.length, rejected, toBePaid })
    return true
  })

const askingOf = (batch: Batch, settings: Tools['settings'], now: Date): Asking => {
  const { freshness, polling } = settings.forKind[batch.kind]
  return {
    organizationId: Number(batch.organizationId),
    kind: batch.kind,
    batchId: batch.id,
    freshSince: new Date(now.getTime() - freshness),
    deadlineAt: new Date(now.getTime() + polling.deadline),
    now,
  }
}

/** The first row of a look-up that this batch made is the one that pays; rows that repeat it cost nothing. */
const withLookup = ({ question, ...row }: Row, lookups: Map<string, { id: bigint; first: boolean }>): NewRow => {
  if (!question) return { ...row, lookupId: null, first: false }
  const lookup = lookups.get(question.question)!
  const { id, first } = lookup
  lookup.first = false
  return { ...row, lookupId: id, first }
}

const finish = async (batch: Batch, blankLines: number, { sql, boss, settings, clock, log }: Tools): Promise<void> => {
  const now = clock()
  const read = await readBatch(sql, batch.id)
  if (!read || (await rejectedWhole(read, settings.import.maxRejectShare, sql, now))) return
  if (read.rows > 10_000) await analyzeTables(sql)
  await sql.begin(async (tx) => {
    await lockShared(tx, batch.id)
    if ((await lockImport(tx, batch.id)) === null) return
    const state = await finishImport(tx, batch.id, blankLines, now)
    if (state === 'unconfirmed') await handOver(tx, batch.id)
    const finished = state === 'cancelled' ? await endCancelled(tx, batch.id, now) : await recount(tx, batch.id, now)
    for (const id of finished) await enqueue(boss, exportQueue, { batchId: String(id) }, tx)
    log.info({ batch: String(batch.id), rows: read.rows, rejected: read.rejected, state }, 'batch imported')
  })
}

const rejectedWhole = async (batch: Batch, maxShare: number, sql: Tools['sql'], now: Date): Promise<boolean> => {
  if (batch.rows === 0 || batch.rejected / batch.rows <= maxShare) return false
  const share = Math.round((batch.rejected / batch.rows) * 100)
  const problem = `${batch.rejected} of ${batch.rows} rows (${share} %) were rejected, more than import.maxRejectShare allows`
  await sql.begin(async (tx) => {
    await handOver(tx, batch.id, 'any')
    await cancelQueued(tx, batch.id, now)
    await rejectBatch(tx, batch.id, problem, now)
  })
  return true
}
