import { z } from 'zod'
import { type Layout, layoutOf } from '../batches/layout.ts'
import { readOwnRows } from '../batches/own-rows.ts'
import type { Document } from '../domain/document.ts'
import { searchFor } from '../domain/person-search.ts'
import type { Home } from '../home/folders.ts'
import type { Database, Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import { findTexts } from '../store/people/scrub-texts.ts'
import { personKey } from '../store/person-key.ts'
import { shownText } from '../views/fields.ts'
import type { PersonRecord } from '../views/person.ts'
import { findPeople, readPersonRecord } from '../views/person-record.ts'
import { scrubbedSchemas } from './erase-document.ts'
import { filesAbout, storedFilesAbout } from './erase-files.ts'

/** Reads everything that is stored about a person. The access is audited, without the document. */
export const lookAtPerson = async (
  sql: Sql,
  document: Document,
  { by, what = 'look at person' }: { by: string; what?: 'look at person' | 'reveal' | 'report on person' },
): Promise<PersonRecord> => {
  const key = await personKey(sql, document.number)
  await recordAudit(sql, by, what, 'a person', { person: key })
  const record = await readPersonRecord(sql, { document: document.number, type: document.type, key })
  return { ...record, rows: await withAuthorizations(sql, record.rows) }
}

/** The people with a name that somebody searched for. The search is audited, without the name. */
export const searchPeople = async (sql: Sql, name: string, { by, limit }: { by: string; limit: number }) => {
  const found = await findPeople(sql, name, limit)
  await recordAudit(sql, by, 'search people', 'people', { found: found.length })
  return found
}

/** The consents of the person are in the rows of files that have a column for them. */
const withAuthorizations = async (sql: Sql, rows: PersonRecord['rows']): Promise<PersonRecord['rows']> => {
  const read: PersonRecord['rows'] = []
  for (const some of Map.groupBy(rows, ({ batch }) => batch).values()) {
    const layout = layoutOf(some[0]!) as Layout | null
    const own = layout?.columns.authorization === undefined ? null : await readOwnRows(sql, some[0]!, some, true)
    read.push(...some.map((row) => ({ ...row, authorization: own?.get(row.line)?.authorization ?? null })))
  }
  return read
}

/** Where else a document is stored. Every table and every file is searched, as for erasing. */
export const personTraces = z.object({
  texts: z.array(z.object({ table: z.string(), column: z.string(), rows: z.int() })),
  storedFiles: z.array(z.object({ batches: z.array(z.int()).describe('none: it waits on the page'), rows: z.int() })),
  files: z.array(
    z.object({
      path: z.string(),
      fate: z.enum(['blanked', 'deleted', 'renamed']).describe('what erasing does with it'),
    }),
  ),
})

export type PersonTraces = z.output<typeof personTraces>

/** Names of files may contain the document too. */
export const toTracesView = (traces: PersonTraces, unmasked?: boolean): PersonTraces => ({
  ...traces,
  files: traces.files.map(({ path, fate }) => ({ path: shownText(path, unmasked), fate })),
})

export const findTraces = async (
  { sql, home }: { sql: Database; home: Home },
  document: string,
): Promise<PersonTraces> => {
  const search = searchFor(document)
  const { rewrites, workbooks, uploads } = await storedFilesAbout(sql, search)
  const files = await filesAbout(sql, home, search)
  const texts = await findTexts(sql, search, scrubbedSchemas)
  return {
    texts: texts.map(({ table, column, rows }) => ({ table, column, rows })),
    storedFiles: [
      ...rewrites.map(({ batchIds, ranges }) => ({ batches: batchIds.map(Number), rows: ranges.length })),
      ...[...workbooks, ...uploads].map(({ batchIds, rows }) => ({ batches: batchIds.map(Number), rows })),
    ],
    files: files.map(({ path, fate }) => ({ path, fate })),
  }
}
