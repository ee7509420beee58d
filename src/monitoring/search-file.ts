import { type PersonSearch, searchFor } from '../domain/person-search.ts'
import { detectDialect } from '../files/csv/detect-dialect.ts'
import type { Dialect } from '../files/csv/dialect.ts'
import { FileProblem } from '../files/file-problem.ts'
import { isWorkbook } from '../files/looks-like.ts'
import { firstBytes } from '../files/open-table.ts'
import type { ThreadTask } from '../files/thread/file-thread.ts'
import { readInThread, type ThreadLimits } from '../files/thread/read-in-thread.ts'
import { readPartTexts } from '../files/xlsx/read/part-texts.ts'
import { readWorkbook, type Workbook } from '../files/xlsx/read-workbook.ts'
import { type Range, recordsAbout } from './blank-records.ts'

type Open = () => AsyncIterable<Uint8Array>

/** How many rows of a file are about a person and, if it is text, where they are. */
type Found = { rows: number; text: { dialect: Dialect; ranges: Range[] } | null }

/**
 * Searches a file of unknown columns for a person: any cell of any row may hold the document. A thread reads it; a file
 * that passes its limits is searched as bytes, like one that is broken.
 */
export const searchFile = async (open: Open, search: PersonSearch, limits?: ThreadLimits): Promise<Found> => {
  const module = new URL(import.meta.url)
  const { document } = search
  try {
    return await readInThread<Found>({ module, input: { document }, open, limits })
  } catch (problem) {
    if (problem instanceof FileProblem) return searchBytes(open, search)
    throw problem
  }
}

const searchBytes = async (open: Open, search: PersonSearch): Promise<Found> => ({
  rows: (await isInBytes(open(), search)) ? 1 : 0,
  text: null,
})

/** The same, in the thread of `readInThread`. */
export const read: ThreadTask<{ document: string }, Found> = async ({ document }, open) => ({
  output: await searchHere(open, searchFor(document)),
})

const searchHere = async (open: Open, search: PersonSearch): Promise<Found> => {
  if (isWorkbook(await firstBytes(open()))) return { rows: await countRowsAbout(open, search), text: null }
  try {
    const dialect = { ...(await detectDialect(open())), header: false }
    const ranges = (await recordsAbout(open(), dialect, search)).map(({ start, end }) => ({ start, end }))
    return { rows: ranges.length, text: { dialect, ranges } }
  } catch (problem) {
    if (problem instanceof FileProblem) return searchBytes(open, search)
    throw problem
  }
}

/**
 * Counts the rows about a person in all sheets of a workbook; one if only another part of it is about them, such as a comment
 * or a chart. A broken workbook is searched as far as it can be read.
 */
const countRowsAbout = async (open: Open, search: PersonSearch): Promise<number> => {
  try {
    await using workbook = await readWorkbook(open())
    return (await countRowsIn(workbook, search)) || ((await isInParts(workbook, search)) ? 1 : 0)
  } catch (problem) {
    if (problem instanceof FileProblem) return (await isInBytes(open(), search)) ? 1 : 0
    throw problem
  }
}

const countRowsIn = async (workbook: Workbook, search: PersonSearch): Promise<number> => {
  let found = 0
  // Sheets may share a part, a thousand of them the same one.
  const sheets = new Map(workbook.sheets.map((sheet) => [sheet.part, sheet])).values()
  for (const { name } of sheets) {
    try {
      for await (const rows of workbook.rows(name)) found += rows.filter(({ cells }) => cells.some(search.isIn)).length
    } catch (problem) {
      if (!(problem instanceof FileProblem)) throw problem
    }
  }
  return found
}

const isInParts = async ({ source: { parts } }: Workbook, search: PersonSearch): Promise<boolean> => {
  for await (const found of readPartTexts(parts)) {
    const isAbout = Array.isArray(found) ? found.some(search.isIn) : await isInPartBytes(parts.read(found.part), search)
    if (isAbout) return true
  }
  return false
}

/** A part that cannot be unpacked to its end is searched as far as it can. */
const isInPartBytes = (source: AsyncIterable<Uint8Array>, search: PersonSearch): Promise<boolean> =>
  isInBytes(source, search).catch((problem: unknown) => {
    if (problem instanceof FileProblem) return false
    throw problem
  })

/**
 * Searches bytes of any kind for a person, as text with one byte or with two per character.
 *
 * It reads overlapping windows. If a match may continue beyond the edge of a window, the next window, which contains
 * all of it, reports it.
 */
const isInBytes = async (source: AsyncIterable<Uint8Array>, search: PersonSearch): Promise<boolean> => {
  let window: Buffer = Buffer.alloc(0)
  let isCut = false
  for await (const chunk of source) {
    window = Buffer.concat([window, chunk])
    if (textsOf(window).some((text) => search.isIn(withoutEdges(text, { start: isCut, end: true })))) return true
    isCut ||= window.length > overlap
    window = window.subarray(-overlap)
  }
  return textsOf(window).some((text) => search.isIn(withoutEdges(text, { start: isCut, end: false })))
}

const overlap = 512

/** UTF-16 in the other byte order becomes the same text when it is read from the second byte. */
const textsOf = (bytes: Buffer): string[] => [
  bytes.toString('latin1'),
  bytes.toString('utf16le'),
  bytes.subarray(1).toString('utf16le'),
]

const withoutEdges = (text: string, { start, end }: { start: boolean; end: boolean }): string => {
  const from = start ? /^[\da-z.\-/\\]*/i.exec(text)![0].length : 0
  const left = end ? /[\da-z.\-/\\]*$/i.exec(text.slice(-overlap))![0].length : 0
  return text.slice(from, text.length - left)
}
