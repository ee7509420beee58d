import { createHash, type Hash } from 'node:crypto'
import { freedByLimit, withinLimit } from '../domain/amount.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import { namedColumns, nameOrNumber } from '../files/columns/find-columns.ts'
import type { ReadOptions } from '../files/columns/read-options.ts'
import { openCsv } from '../files/csv/read.ts'
import type { Table } from '../files/open-table.ts'
import {
  copyQuestions,
  countQuestions,
  findBatchOfBytes,
  type KnownBatch,
  openQuestions,
  type QuestionCounts,
} from '../store/batches/quote.ts'
import type { Database, Sql, Transaction } from '../store/connect.ts'
import { readLanePace } from '../store/fleet/lanes.ts'
import { documentColumns } from '../views/own-row.ts'
import { type RowRules, readQuestions, rowReader } from './layout.ts'
import { type ReadLayout, readTable } from './read-layout.ts'
import { rememberedColumns } from './submit.ts'

type QuoteRequest = {
  /** Opens the file anew each time; it is read three times. */
  open: () => AsyncIterable<Uint8Array>
  organizationId: number
  kind: Kind
  /** Answers older than this are asked again. */
  freshSince: Date
  /** How many requests may be open at once. */
  bound: number
  /** Whether purchases that the organization made elsewhere are used; true unless the settings say no. */
  adopts?: boolean
  /** No more paid calls than this; null: no limit. */
  maxSpend: number | null
  /** Whether that also becomes the limit of an existing batch of the same bytes. */
  setsLimit?: boolean
  /** The wait before an answer is fetched for the first time. */
  firstLookMs: number
  /** How the file is to be read, where a person decided it. */
  choice?: ReadOptions
  rules?: RowRules
  /** A batch for another purpose does not answer for these bytes. */
  purpose?: string | null
}

/** What a file would ask and cost. To find out, nothing is stored, sent or spent. */
export type Quote = QuestionCounts & {
  rows: number
  blankLines: number
  rejected: number
  rejects: Record<string, number>
  /** Documents that are not asked, in rows that are asked about another one, by reason. */
  notAsked: Record<string, number>
  toBePaid: number
  /** The look-ups of an existing batch of the same bytes that wait for a new limit. */
  freed: number
  /** For the look-ups within its limit. */
  expectedSeconds: number
  reads: ReturnType<typeof formatOf>
  /** The existing batch of these bytes; its rows are not asked again. */
  repeats: (Pick<KnownBatch, 'state' | 'unconfirmed' | 'finishedAt' | 'spent'> & { batch: bigint }) | null
}

/** Reads a file as an import would, in flat memory, and counts which questions are fresh, shared or to be asked. */
export const quoteFile = async (sql: Database, request: QuoteRequest): Promise<Quote> => {
  const { kind, organizationId } = request
  const { counts, read } = await sql.begin(async (tx) => {
    await openQuestions(tx)
    const read = await readFile(tx, request)
    return { read, counts: await countQuestions(tx, { adopts: true, ...request }) }
  })
  const { sha256, readAs, ...found } = read
  const { freshSince, purpose = null } = request
  const repeats = await findBatchOfBytes(sql, { organizationId, kind, sha256, readAs, freshSince, purpose })
  const toBeAsked = repeats ? stillToBeAsked(repeats, counts) : counts.toBeAsked
  const paid = spendingKinds.includes(kind)
  const lookups = paid ? withinLimit(toBeAsked, request.maxSpend) : toBeAsked
  return {
    ...found,
    ...counts,
    toBeAsked,
    toBePaid: paid ? toBeAsked : 0,
    freed: paid && repeats && request.setsLimit ? freedByLimit(toBeAsked, repeats, request.maxSpend) : 0,
    expectedSeconds: await expectedSeconds(sql, { ...request, lookups }),
    repeats: repeats && repeatedBatch(repeats),
  }
}

const repeatedBatch = ({ id: batch, state, unconfirmed, finishedAt, spent }: KnownBatch): Quote['repeats'] => {
  return { batch, state, unconfirmed, finishedAt, spent }
}

type ReadFile = Pick<Quote, 'reads' | 'rows' | 'blankLines' | 'rejected' | 'rejects' | 'notAsked'> & {
  sha256: string
  readAs: string
}

const readFile = async (tx: Transaction, request: QuoteRequest): Promise<ReadFile> => {
  const { kind, choice = {}, organizationId, rules } = request
  const readAs = { kind, choice, remembered: await rememberedColumns(tx, organizationId) }
  await using table = await readTable(request.open, readAs)
  const { dialect, columns } = table.layout
  const hash = createHash('sha256')
  const csv = await openCsv(hashed(table.open(), hash), dialect, { batchSize: 5_000 })
  const copy = (asking: { questions: { question: string }[] }[]) =>
    copyQuestions(
      tx,
      asking.flatMap(({ questions }) => questions.map(({ question }) => question)),
    )
  const counts = await readQuestions(csv.records, rowReader(columns, kind, rules), copy)
  const sha256 = hash.digest('hex')
  return { reads: formatOf(table), ...counts, blankLines: csv.blankLines(), sha256, readAs: table.layout.readAs ?? '' }
}

/** How the file was understood, so that a wrong guess is seen before it costs anything. */
const formatOf = ({ layout, headers, remembered, sheet }: Table & ReadLayout) => {
  const { dialect, columns } = layout
  const { document, process } = columns
  const names = (headers ?? []).map(maskDocuments)
  return {
    encoding: dialect.encoding,
    delimiter: dialect.delimiter,
    /** The header of the column that is asked about; null in a file without a header. */
    column: headers && nameOrNumber(names, document ?? process ?? 0),
    /** Every recognized column, by its header; by its number where it has none. */
    columns: namedColumns(columns, names),
    /** What reports and people call each document of a row; none where a row has one. */
    documents: documentColumns({ layout }),
    /** The line of the header, if there are titles above it; 0: the file has no header. */
    headerLine: headers ? (dialect.headerLine ?? null) : 0,
    /** Of a workbook: the sheet, those with documents that are not read, and how many rows are hidden; they are read. */
    sheet: sheet && maskDocuments(sheet.name),
    unreadSheets: (sheet?.unread ?? []).map(maskDocuments),
    /** Its columns with documents that are not asked about. */
    unaskedColumns: (layout.unasked ?? []).map(maskDocuments),
    hiddenRows: sheet?.hiddenRows ?? 0,
    /** The number of the choice (`vigia columns`) that assigned the columns. */
    remembered: remembered && Number(remembered.id),
  }
}

async function* hashed(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    hash.update(bytes)
    yield bytes
  }
}

/** An existing batch asks what it has not asked yet, and nothing once it has ended. */
const stillToBeAsked = ({ finishedAt, importedAt, queued }: KnownBatch, { toBeAsked }: QuestionCounts): number =>
  finishedAt ? 0 : importedAt ? queued : queued + toBeAsked

type Work = Pick<QuoteRequest, 'organizationId' | 'kind' | 'bound' | 'firstLookMs'> & {
  /** Look-ups within the limit. */
  lookups: number
}

/** How long this number of look-ups takes, by the pace of the lane's last batches. Every displayed quote uses it. */
export const expectedSeconds = async (sql: Sql, { organizationId, kind, lookups, bound, firstLookMs }: Work) => {
  if (lookups === 0) return 0
  const measured = await readLanePace(sql, organizationId, kind)
  const { perSecond, secondsEach } = measured ?? unmeasured(bound, firstLookMs)
  return Math.ceil(secondsEach + lookups / perSecond)
}

/** How many requests this number of workers may have open at once. At least one worker is assumed. */
export const openRequests = ({ worker, fleet }: { worker: number; fleet: number }, workers: number): number =>
  Math.min(fleet, worker * Math.max(1, workers))

/** A lane without history: two requests of a second each, and the wait between them. */
const unmeasured = (bound: number, firstLookMs: number) => ({
  perSecond: bound / 2,
  secondsEach: 2 + firstLookMs / 1_000,
})
