import type { Layout } from '../batches/layout.ts'
import { readStoredFile } from '../batches/stored-file.ts'
import type { PersonSearch } from '../domain/person-search.ts'
import type { Sql } from '../store/connect.ts'
import { storedLayouts, storedUploads, storedWorkbooks } from '../store/people/erase.ts'
import { type Range, recordsAbout } from './blank-records.ts'
import { searchFile } from './search-file.ts'

type Rewrite = { fileId: bigint; batchIds: bigint[]; layout: Layout; ranges: Range[] }
type StoredFileAbout = { fileId: bigint; batchIds: bigint[]; rows: number }

/** The files in the database that hold a person. */
export type StoredFilesAbout = {
  /** Text of batches: the rows about the person are blanked. */
  rewrites: Rewrite[]
  /** Workbooks of batches. They are deleted instead of rewritten: their text stays. */
  workbooks: StoredFileAbout[]
  /** Files that were uploaded on the page and are not submitted yet. */
  uploads: StoredFileAbout[]
}

export const storedFilesAbout = async (sql: Sql, search: PersonSearch): Promise<StoredFilesAbout> => ({
  rewrites: await findRewrites(sql, search),
  workbooks: await filterAbout(sql, search, await storedWorkbooks(sql)),
  uploads: await filterAbout(
    sql,
    search,
    (await storedUploads(sql)).map(({ fileId }) => ({ fileId, batchIds: [] })),
  ),
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
