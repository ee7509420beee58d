import { setImmediate } from 'node:timers/promises'
import type { Dialect } from './dialect.ts'
import { decodeText } from './encoding.ts'
import type { CsvRecord } from './record-parser.ts'
import { RecordReader } from './record-reader.ts'

type CsvReadOptions = { batchSize?: number; maxRecordSize?: number }

/** An open file. Blank lines are not rows; they are counted while the records are read. */
type CsvFile = {
  header: CsvRecord | null
  /** Titles and notes above the header. */
  above: CsvRecord[]
  records: AsyncIterable<CsvRecord[]>
  blankLines(): number
  /** Closes the source; needed only where the records are not read to their end. */
  close(): Promise<void>
}

/**
 * Opens a file for reading in batches of records, in constant memory. A header without rows is a file without records.
 *
 * Ragged rows are returned as they are. Throws a FileProblem if the text does not decode or a row is absurdly long.
 */
export const openCsv = async (
  source: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  options: CsvReadOptions = {},
): Promise<CsvFile> => {
  const reader = new RecordReader(dialect, options.maxRecordSize ?? 16 * 1024 * 1024)
  const batches = readBatches(source, dialect, reader, options.batchSize ?? 2_000)
  const first: CsvRecord[] = []
  while (!isReached(first, dialect)) {
    const { done, value } = await batches.next()
    if (done) break
    first.push(...value)
  }
  const at = headerAt(first, dialect)
  const sep = dialect.sepLine ? 1 : 0
  return {
    header: dialect.header ? (first[at] ?? null) : null,
    above: dialect.header ? first.slice(sep, at) : [],
    records: followedBy(first.slice(dialect.header ? at + 1 : sep), batches),
    blankLines: () => reader.blankLines,
    close: async () => void (await batches.return(undefined)),
  }
}

/** Whether the header is among the first records. */
const isReached = (first: CsvRecord[], dialect: Dialect): boolean => {
  if (!dialect.header) return first.length >= (dialect.sepLine ? 1 : 0)
  return headerAt(first, dialect) < first.length
}

const headerAt = (first: CsvRecord[], { headerLine, sepLine }: Dialect): number => {
  if (headerLine === undefined) return sepLine ? 1 : 0
  const at = first.findIndex(({ line }) => line >= headerLine)
  return at < 0 ? first.length : at
}

async function* followedBy(first: CsvRecord[], rest: AsyncGenerator<CsvRecord[]>): AsyncGenerator<CsvRecord[]> {
  try {
    if (first.length > 0) yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

async function* readBatches(
  source: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  reader: RecordReader,
  batchSize: number,
): AsyncGenerator<CsvRecord[]> {
  let batch: CsvRecord[] = []
  let bytes = 0
  for await (const records of readRecords(source, dialect, reader)) {
    for (const record of records) {
      batch.push(record)
      bytes += record.end - record.start
    }
    await setImmediate()
    if (batch.length < batchSize && bytes < batchBytes) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

async function* readRecords(
  source: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  reader: RecordReader,
): AsyncGenerator<CsvRecord[]> {
  for await (const chunk of inChunks(decodeText(source, dialect))) yield* reader.push(chunk)
  yield* reader.end()
}

/** Large rows fill a batch too, however few they are. */
const batchBytes = 4 * 1024 ** 2

/** Medium-sized chunks: small ones cost a turn each, and large ones would block the event loop. */
async function* inChunks(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let crumbs: Buffer[] = []
  let length = 0
  for await (const piece of text) {
    crumbs.push(piece)
    length += piece.length
    if (length < chunkSize) continue
    const joined = crumbs.length === 1 ? piece : Buffer.concat(crumbs)
    for (let at = 0; at < joined.length; at += chunkSize) yield joined.subarray(at, at + chunkSize)
    crumbs = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(crumbs)
}

const chunkSize = 64 * 1024

/** Requests the next item while the last one is being used. */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  const ask = () => {
    const answer = iterator.next()
    answer.catch(() => {})
    return answer
  }
  let coming = ask()
  try {
    for (let { done, value } = await coming; !done; { done, value } = await coming) {
      coming = ask()
      yield value
    }
  } finally {
    await coming.catch(() => {})
    await iterator.return?.()
  }
}
