import { z } from 'zod'
import type { Document } from '../domain/document.ts'
import { maskDocument } from '../domain/document.ts'
import type { Home } from '../home/folders.ts'
import type { Database, Sql } from '../store/connect.ts'
import { recordAudit } from '../store/people/audit.ts'
import { findTexts } from '../store/people/erase.ts'
import { personKey } from '../store/people/person-key.ts'
import { shownText } from '../views/fields.ts'
import { type PersonRecord, readPersonRecord } from '../views/person-record.ts'
import { findRewrites, scrubbedSchemas, writtenAs } from './erase-document.ts'
import { filesAbout } from './erase-files.ts'
import { uploadsAbout } from './erase-uploads.ts'
import { workbooksAbout } from './erase-workbooks.ts'

/** Reads everything that is held about a person; that somebody looked is on record, without the document. */
export const lookAtPerson = async (
  sql: Sql,
  document: Document,
  { by, what = 'look at person' }: { by: string; what?: 'look at person' | 'reveal' | 'report on person' },
): Promise<PersonRecord> => {
  const key = await personKey(sql, document.number)
  await recordAudit(sql, by, what, 'a person', { person: key })
  return readPersonRecord(sql, { document: document.number, type: document.type, key })
}

/** Where else a document stands. To find it every table and every file is read, as erasing does. */
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

/** The names of files may hold the document too. */
export const tellTraces = (traces: PersonTraces, unmasked?: boolean): PersonTraces => ({
  ...traces,
  files: traces.files.map(({ path, fate }) => ({ path: shownText(path, unmasked), fate })),
})

export const findTraces = async (
  { sql, home }: { sql: Database; home: Home },
  document: string,
): Promise<PersonTraces> => {
  const texts = writtenAs(document)
  const rewrites = await findRewrites(sql, document, texts)
  const workbooks = await workbooksAbout(sql, document, texts)
  const uploads = await uploadsAbout(sql, document, texts)
  const files = await filesAbout(home, document, texts)
  return {
    texts: await findTexts(sql, [...texts, maskDocument(document)], scrubbedSchemas),
    storedFiles: [
      ...rewrites.map(({ batchIds, ranges }) => ({ batches: batchIds.map(Number), rows: ranges.length })),
      ...workbooks.map(({ batchIds, rows }) => ({ batches: batchIds.map(Number), rows })),
      ...uploads.map(({ rows }) => ({ batches: [], rows })),
    ],
    files: files.map(({ path, fate }) => ({ path, fate })),
  }
}
