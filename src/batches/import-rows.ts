import { freshSinceOf } from '../domain/duration.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { Batch } from '../store/batches/batches.ts'
import { beginUnsynced, copyRows, isWrittenAlready, moveOn, type NewRow } from '../store/batches/import.ts'
import type { Database, Transaction } from '../store/connect.ts'
import { type Asking, askLookups, copyLookups, draftLookups, type Question } from '../store/lookups/ask-lookups.ts'

/** A row as it was read, with its question about one of its documents; its look-up is filled in once it exists. */
export type AskingRow = NewRow & { question: Question | null }

type RowWriter = {
  /** Accepts the next rows once the chunk before is written. False: another worker imports this batch. */
  write(rows: AskingRow[]): Promise<boolean>
  /** Resolves when all rows are stored. */
  end(): Promise<boolean>
}

/** How long an answer is fresh, and how long a question may stay open, in milliseconds. */
type Terms = { freshness: number; polling: { deadline: number } }
type ImportTools = { sql: Database; settings: { forKind: Record<Kind, Terms> }; clock: () => Date }

/**
 * Writes the rows of a batch and asks for their look-ups, chunk by chunk, in the order of the file.
 *
 * A chunk is one transaction: its look-ups, its rows and the progress of the import commit together. So an import that
 * was killed resumes after its last chunk, and two imports of the same batch cannot write a row twice. While one chunk
 * copies its rows, the next one already asks; it commits only after the one before it.
 */
export const createRowWriter = (batch: Batch, tools: ImportTools): RowWriter => {
  let last: Chunk = { to: batch.importedTo, lookups: Promise.resolve(new Map()), written: Promise.resolve(true) }
  return {
    async write(rows) {
      const before = last
      const fresh = rows.filter(({ line }) => line > before.to)
      if (fresh.length === 0) return true
      last = writeChunk(batch, fresh, before, tools)
      return before.written
    },
    end: () => last.written,
  }
}

/**
 * Rows that are being written, up to line `to`, and their look-ups, which no other transaction can see yet; null if
 * asking for them failed.
 */
type Chunk = { to: number; lookups: Promise<Lookups | null>; written: Promise<boolean> }

type Lookups = Map<string, { id: bigint; pays: boolean }>

const writeChunk = (batch: Batch, rows: AskingRow[], before: Chunk, tools: ImportTools): Chunk => {
  const asked = Promise.withResolvers<Lookups | null>()
  const to = rows.at(-1)!.line
  const write = async (tx: Transaction): Promise<void> => {
    const { lookups, payable } = await ask(tx, rows, before, askingOf(batch, tools))
    asked.resolve(lookups)
    fillIn(rows, lookups)
    await copyRows(tx, batch.id, rows)
    const toBePaid = spendingKinds.includes(batch.kind) ? payable : 0
    const done = { to, ...countRows(rows), toBePaid }
    if (!(await before.written) || !(await moveOn(tx, batch.id, before.to, done))) throw new ImportedElsewhere()
  }
  const written = beginUnsynced(tools.sql, write).then(
    () => true,
    (error) => {
      asked.resolve(null)
      if (error instanceof ImportedElsewhere || isWrittenAlready(error)) return false
      throw error
    },
  )
  written.catch(() => {})
  return { to, lookups: asked.promise, written }
}

/** A row counts once, whatever the number of its documents, and is rejected if none of them can be asked. */
const countRows = (rows: readonly AskingRow[]): { rows: number; rejected: number } => {
  const count = rows.filter(({ part }) => part === 0).length
  const asking = new Set(rows.filter(({ question }) => question).map(({ line }) => line))
  return { rows: count, rejected: count - asking.size }
}

class ImportedElsewhere extends Error {}

/**
 * One look-up for each question of the rows. The look-ups of the chunk before are visible only through `before`. Until
 * that chunk has asked, this one may read and number its questions, but takes no lock that the other might wait for.
 */
const ask = async (tx: Transaction, rows: AskingRow[], before: Chunk, asking: Asking) => {
  const open = new Map<string, Question>()
  for (const { question } of rows) if (question) open.set(question.question, question)
  const drafts = await draftLookups(tx, [...open.values()], asking)
  const known = await before.lookups
  if (!known) throw new ImportedElsewhere()
  const lookups: Lookups = new Map()
  for (const question of open.keys()) {
    const lookup = known.get(question)
    if (lookup && open.delete(question)) lookups.set(question, { id: lookup.id, pays: false })
  }
  const asked = await copyLookups(
    tx,
    drafts.filter(({ question }) => open.has(question)),
  )
  for (const { id, question } of asked) if (open.delete(question)) lookups.set(question, { id, pays: true })
  const shared = open.size > 0 ? await askLookups(tx, [...open.values()], asking) : []
  for (const { id, question, made } of shared) lookups.set(question, { id, pays: made })
  const payable = shared.filter((each) => each.made && each.payable).length
  return { lookups, payable: asked.length + payable }
}

const askingOf = (batch: Batch, { settings, clock }: ImportTools): Asking => {
  const terms = settings.forKind[batch.kind]
  const now = clock()
  return {
    organizationId: Number(batch.organizationId),
    kind: batch.kind,
    batchId: batch.id,
    freshSince: freshSinceOf(terms, now),
    deadlineAt: new Date(now.getTime() + terms.polling.deadline),
    now,
  }
}

/** The first document of a look-up that this batch made pays for it; those that repeat it cost nothing. */
const fillIn = (rows: AskingRow[], lookups: Lookups): void => {
  for (const row of rows) {
    if (!row.question) continue
    const lookup = lookups.get(row.question.question)!
    row.lookupId = lookup.id
    row.pays = lookup.pays
    lookup.pays = false
  }
}
