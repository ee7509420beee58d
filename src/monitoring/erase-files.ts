import { createReadStream, type Dirent } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, parse } from 'node:path'
import { writeAtomically } from '../batches/atomic-file.ts'
import { outboxFolder } from '../batches/export.ts'
import type { Layout } from '../batches/layout.ts'
import { readStoredFile } from '../batches/stored-file.ts'
import type { PersonSearch } from '../domain/person-search.ts'
import type { Home } from '../home/folders.ts'
import type { Sql } from '../store/connect.ts'
import { namesOfBatches, storedLayouts, storedUploads, storedWorkbooks } from '../store/people/erase.ts'
import { blankRecords, type Range, recordsAbout } from './blank-records.ts'
import { searchFile } from './search-file.ts'

/** A file or folder under the home that holds the person, and what erasing does with it. */
type FileAbout = {
  path: string
  fate: 'blanked' | 'deleted' | 'renamed'
  rewritten: (() => AsyncIterable<Buffer>) | null
  /** The batch whose report it is; erasing writes that again without the person. */
  batchId: bigint | null
}

/**
 * The files under the home that hold a person: files that people dropped, reports, files of changes, and any other file
 * that names them. `eraseFromFiles` erases exactly these.
 */
export const filesAbout = async (sql: Sql, home: Home, search: PersonSearch): Promise<FileAbout[]> => {
  const reports = await reportFolders(sql, home)
  const found: FileAbout[] = []
  for (const folder of [home.inbox, home.processing, home.archive, home.outbox]) {
    const { files, folders } = await entriesIn(folder)
    for (const path of files) {
      const batchId = reports.get(dirname(path)) ?? reports.get(dirname(dirname(path))) ?? null
      const about = await judgeFile(path, search, batchId)
      if (about) found.push(about)
    }
    // Folders after their files, and inner ones before outer ones: renaming a folder changes all paths below it.
    const named = folders.filter((path) => search.isIn(basename(path))).toSorted((a, b) => b.length - a.length)
    for (const path of named) found.push({ path, fate: 'renamed', rewritten: null, batchId: reports.get(path) ?? null })
  }
  return found
}

/**
 * Erases a person from the files under the home. It blanks rows of files that people dropped, drops lines from the
 * files of changes, and deletes any other file that names the person. The export writes the reports again.
 */
export const eraseFromFiles = async (sql: Sql, home: Home, search: PersonSearch) => {
  const files = { blanked: 0, deleted: 0 }
  const reportsOf = new Set<bigint>()
  for (const { path, fate, rewritten, batchId } of await filesAbout(sql, home, search)) {
    if (fate !== 'renamed') files[fate]++
    if (batchId !== null) reportsOf.add(batchId)
    else if (fate === 'deleted') await rm(path, { force: true })
    else {
      if (rewritten) await writeAtomically(path, rewritten())
      if (search.isIn(basename(path))) await rename(path, await namelessPath(path, search))
    }
  }
  return { files, reportsOf: [...reportsOf] }
}

/** The folders of the outbox that hold the reports of a batch. */
const reportFolders = async (sql: Sql, home: Home): Promise<Map<string, bigint>> => {
  const numbers = (await readdir(home.outbox)).flatMap((name) => /\.(\d{1,18})$/.exec(name)?.[1] ?? [])
  const batches = await namesOfBatches(sql, numbers.map(BigInt))
  return new Map(batches.map((batch) => [outboxFolder(home, batch), batch.id]))
}

/** The same path with a name that does not contain the person. Names that an earlier erasure gave are skipped. */
const namelessPath = async (path: string, search: PersonSearch): Promise<string> => {
  const { name, ext } = parse(search.erase(basename(path)))
  const taken = new Set(await readdir(dirname(path)))
  for (let n = 1; ; n++) {
    const free = `${name}${n === 1 ? '' : `-${n}`}${ext}`
    if (!taken.has(free)) return join(dirname(path), free)
  }
}

const judgeFile = async (path: string, search: PersonSearch, batchId: bigint | null): Promise<FileAbout | null> => {
  const rewritten = isOfChanges.test(basename(path))
    ? await withoutLines(path, search)
    : await withoutRows(path, search)
  if (rewritten === 'gone') return null
  const isNamed = search.isIn(basename(path))
  if (!rewritten && !isNamed) return null
  if (rewritten === 'delete' || batchId !== null) return { path, fate: 'deleted', rewritten: null, batchId }
  return { path, fate: rewritten ? 'blanked' : 'renamed', rewritten, batchId }
}

/** The file without the person; `delete` if it is not text, `gone` if it was moved meanwhile. */
type Rewritten = FileAbout['rewritten'] | 'delete' | 'gone'

const withoutRows = async (path: string, search: PersonSearch): Promise<Rewritten> => {
  const open = () => createReadStream(path)
  try {
    const { rows, text } = await searchFile(open, search)
    if (rows === 0) return null
    // Another process may still be writing it. If it were rewritten, the rest would be lost silently.
    return text && !isUnfinished.test(path) ? () => blankRecords(open(), text.dialect, text.ranges) : 'delete'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone'
    throw error
  }
}

const isUnfinished = /\.(part|tmp)$/i

/** Files of changes, which Vigia writes itself, have one change per line. */
const withoutLines = async (path: string, search: PersonSearch): Promise<Rewritten> => {
  const lines = (await readFile(path, 'utf8')).split('\r\n')
  const kept = lines.filter((line) => !search.isIn(line))
  if (kept.length === lines.length) return null
  return async function* () {
    yield Buffer.from(kept.join('\r\n'))
  }
}

const isOfChanges = /^(changes-[\d-]+|differences-.+)\.csv$/

const entriesIn = async (folder: string): Promise<{ files: string[]; folders: string[] }> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathsOf = (some: Dirent[]) => some.map((entry) => join(entry.parentPath, entry.name))
  return {
    files: pathsOf(entries.filter((entry) => entry.isFile())),
    folders: pathsOf(entries.filter((entry) => entry.isDirectory())),
  }
}

type Rewrite = { fileId: bigint; batchIds: bigint[]; layout: Layout; ranges: Range[] }
type StoredFileAbout = { fileId: bigint; batchIds: bigint[]; rows: number }

/** The files in the database that hold a person. */
export const storedFilesAbout = async (sql: Sql, search: PersonSearch) => ({
  /** Text of batches: the rows about the person are blanked. */
  rewrites: await findRewrites(sql, search),
  /** Workbooks of batches. They are deleted instead of rewritten: their text stays. */
  workbooks: await filterAbout(sql, search, await storedWorkbooks(sql)),
  /** Files that were uploaded on the page and are not submitted yet. */
  uploads: await filterAbout(sql, search, await storedUploads(sql)),
})

const findRewrites = async (sql: Sql, search: PersonSearch): Promise<Rewrite[]> => {
  const rewrites: Rewrite[] = []
  for (const { fileId, batchIds, layout } of await storedLayouts(sql)) {
    const { dialect, columns } = layout as Layout
    const ranges = await recordsAbout(readStoredFile(sql, fileId), dialect, search, columns)
    if (ranges.length > 0) rewrites.push({ fileId, batchIds, layout: layout as Layout, ranges })
  }
  return rewrites
}

const filterAbout = async (
  sql: Sql,
  search: PersonSearch,
  files: { fileId: bigint; batchIds: bigint[] }[],
): Promise<StoredFileAbout[]> => {
  const about: StoredFileAbout[] = []
  for (const file of files) {
    const { rows } = await searchFile(() => readStoredFile(sql, file.fileId), search)
    if (rows > 0) about.push({ ...file, rows })
  }
  return about
}
