import { type AskingRow, createRowWriter } from '../src/batches/import-rows.ts'
import { layoutOf, type ReadRow, rowReader } from '../src/batches/layout.ts'
import { endCancelled } from '../src/batches/pause-resume-cancel.ts'
import { readStoredFile, streamUnderClaim } from '../src/batches/stored-file.ts'
import { freshSinceOf } from '../src/domain/duration.ts'
import { spendingKinds } from '../src/domain/kind.ts'
import { openCsv, readAhead } from '../src/files/csv/read.ts'
import type { CsvRecord } from '../src/files/csv/record-parser.ts'
import { FileProblem } from '../src/files/file-problem.ts'
import { inEnglish, type Message } from '../src/messages/message.ts'
import { refreshLedger } from '../src/purchases/check-purchases.ts'
import { exportQueue, importQueue } from '../src/queue/queues.ts'
import { enqueue } from '../src/queue/start-jobs.ts'
import { type Batch, readBatch, rejectBatch } from '../src/store/batches/batches.ts'
import { lockShared, recount } from '../src/store/batches/counts.ts'
import { analyzeTables, finishImport, lockImport } from '../src/store/batches/import.ts'
import { assignPayers, cancelQueued } from '../src/store/batches/payers.ts'
import { tryLaneWithNew } from '../src/store/fleet/lanes.ts'
import { adoptBought } from '../src/store/purchases/adopt-bought.ts'
import { job, type Tools } from './tools.ts'

/** Turns a stored file into rows and look-ups. An interrupted import continues at the next line. */
export const importBatch = job({
  ...importQueue,
  retries: 100,

  async work({ batchId }: { batchId: string }, tools) {
    const batch = await readBatch(tools.sql, BigInt(batchId))
    if (!batch || batch.importedAt || !['importing', 'cancelled'].includes(batch.state)) return
    const { boss, signal } = tools
    try {
      const { ended, blankLines } = await importRows(batch, tools)
      if (ended) await finish(batch, blankLines, tools)
      else if (signal.aborted) await enqueue(boss, importQueue, { batchId })
    } catch (problem) {
      if (!(problem instanceof FileProblem)) throw problem
      await reject(batch, problem.reason, tools)
    }
  },
})

type Working = Tools & { signal: AbortSignal }

/** Reads the next rows while the last are written. Ends early if the worker stops or another one imports. */
const importRows = async (batch: Batch, tools: Working): Promise<{ ended: boolean; blankLines: number }> => {
  const { dialect, columns } = layoutOf(batch)
  const fileId = batch.fileId!
  let blankLines = () => 0
  const readRecords = async function* () {
    const csv = await openCsv(readStoredFile(tools.sql, fileId), dialect, { batchSize: 2_000 })
    blankLines = csv.blankLines
    yield* csv.records
  }
  const readRow = rowReader(columns, batch.kind, { needsAuthorization: tools.settings.scr.requireAuthorization })
  const claimed = streamUnderClaim(tools.sql, { fileId, fromLine: batch.importedTo }, readRecords)
  const writer = createRowWriter(batch, tools)
  let isOurs = true
  for await (const records of readAhead(claimed)) {
    const rows = records.flatMap((record) => readRow(record).map((document, part) => toRow(record, part, document)))
    isOurs = await writer.write(rows)
    if (!isOurs || tools.signal.aborted) break
  }
  const isWritten = await writer.end()
  return { ended: isOurs && isWritten && !tools.signal.aborted, blankLines: blankLines() }
}

const toRow = (record: CsvRecord, part: number, row: ReadRow): AskingRow => {
  const isAsking = 'question' in row
  return {
    line: record.line,
    part,
    start: record.start,
    size: record.end - record.start,
    question: isAsking ? row.question : null,
    repair: isAsking ? row.repair : null,
    rejectReason: isAsking ? null : row.rejected,
    message: isAsking ? null : row.detail,
    lookupId: null,
    pays: false,
  }
}

const finish = async (batch: Batch, blankLines: number, tools: Working): Promise<void> => {
  const { sql, boss, settings, clock, log } = tools
  const now = clock()
  const read = await readBatch(sql, batch.id)
  if (!read) return
  const problem = tooManyRejects(read, settings.import.maxRejectShare)
  if (problem) return reject(batch, problem, tools)
  if (read.rows > 2_000) await analyzeTables(sql)
  const deadlineAt = new Date(now.getTime() + settings.forKind[batch.kind].polling.deadline)
  await assignPayers(sql, { batch: batch.id }, deadlineAt)
  await adoptElsewhere(batch, tools)
  await sql.begin(async (tx) => {
    await lockShared(tx, batch.id)
    if (!(await lockImport(tx, batch.id))) return
    const state = await finishImport(tx, batch.id, blankLines, now)
    if (state === 'unconfirmed') await assignPayers(tx, { batch: batch.id })
    if (state === 'running') await tryLaneWithNew(tx, batch, now)
    const finished = state === 'cancelled' ? await endCancelled(tx, batch.id, now) : await recount(tx, batch.id, now)
    for (const id of finished) await enqueue(boss, exportQueue, { batchId: String(id) }, tx)
    log.info({ batch: String(batch.id), rows: read.rows, rejected: read.rejected, state }, 'batch imported')
  })
}

/**
 * Adopts what the organization bought outside of Vigia, so that the cost of the batch is right before it is approved.
 * If the list cannot be read now, it is read before the first purchase.
 */
const adoptElsewhere = async ({ id, organizationId, kind }: Batch, tools: Working): Promise<void> => {
  const { sql, settings, clock, accounts, signal } = tools
  const terms = settings.forKind[kind]
  const account = accounts.find((each) => BigInt(each.organizationId) === organizationId)
  if (!account || !spendingKinds.includes(kind) || !terms.purchases.adopt) return
  await refreshLedger({ ...tools, forKind: settings.forKind }, account, kind, signal)
  const now = clock()
  const freshSince = freshSinceOf(terms, now)
  const deadlineAt = new Date(now.getTime() + terms.polling.deadline)
  await sql.begin((tx) => adoptBought(tx, { batchId: id }, { of: 'any', freshSince, deadlineAt, now }))
}

/** A cancelled batch asks nothing more, so it is not rejected and all its rows come back. */
const tooManyRejects = ({ state, rows, rejected }: Batch, maxShare: number): Message | null => {
  if (state === 'cancelled' || rows === 0 || rejected / rows <= maxShare) return null
  return ['many_rejects', rejected, rows, Math.round((rejected / rows) * 100)]
}

/** Rejects a file before anything is asked for it. Look-ups that it shares with other batches go to them. */
const reject = async ({ id, fileName }: Batch, problem: Message, { sql, clock, log }: Working): Promise<void> => {
  const now = clock()
  await sql.begin(async (tx) => {
    const rejected = await rejectBatch(tx, id, problem, now)
    if (rejected.length === 0) return
    await assignPayers(tx, { batch: id })
    await cancelQueued(tx, id, now)
  })
  log.warn({ batch: String(id), file: fileName, reason: inEnglish(problem) }, 'batch rejected')
}
