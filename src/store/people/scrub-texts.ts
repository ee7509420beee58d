import { maskDocument } from '../../domain/document.ts'
import { gapCharacters, type PersonSearch, plainCharacters, wideCharacters } from '../../domain/person-search.ts'
import type { Sql } from '../connect.ts'

type Column = { schema: string; table: string; column: string; type: string }

/**
 * Removes a person from everything else that names them, masked or not: any text or JSON column of these schemas.
 *
 * It reads every table, which is slow on purpose: a list of columns could miss one. Returns the tables that it changed.
 */
export const scrubTexts = async (sql: Sql, search: PersonSearch, schemas: string[]): Promise<TextPlace[]> => {
  const scrubbed: TextPlace[] = []
  for (const place of await textColumns(sql, schemas)) {
    const rows = await rowsAbout(sql, search, place, sql`for update`)
    if (rows.length === 0) continue
    await writeTexts(sql, place, rows)
    scrubbed.push({ ...place, rows: rows.length })
  }
  return scrubbed
}

/** A column that names the person, and in how many rows. */
type TextPlace = { schema: string; table: string; column: string; rows: number }

/** Every column of these schemas that `scrubTexts` would change, and in how many rows. */
export const findTexts = async (sql: Sql, search: PersonSearch, schemas: string[]): Promise<TextPlace[]> => {
  const found: TextPlace[] = []
  for (const place of await textColumns(sql, schemas)) {
    const rows = await rowsAbout(sql, search, place, sql``)
    if (rows.length > 0) found.push({ ...place, rows: rows.length })
  }
  return found
}

/** A row by its place in its table, and its text without the person. */
type TextRow = { table: string; place: string; text: string }

/** SQL selects the rows that may be about the person; the exact rule needs check digits. */
const rowsAbout = async (sql: Sql, search: PersonSearch, place: Column, lock: ReturnType<Sql>): Promise<TextRow[]> => {
  const { schema, table, column, type } = place
  const name = sql(column)
  const mask = maskDocument(search.document)
  const text = type === 'text[]' ? sql`array_to_json(${name})::text` : sql`${name}::text`
  const rows = await sql<TextRow[]>`
    select tableoid::text as table, ctid::text as place, ${text} as text
      from ${sql(schema)}.${sql(table)}
     where strpos(translate(upper(${name}::text), ${wideCharacters + gapCharacters}, ${plainCharacters}), ${search.core}) > 0
        or strpos(${name}::text, ${mask}) > 0
    ${lock}`
  const erase = (each: string) => search.erase(each).replaceAll(mask, 'erased')
  const cleaned = type === 'text' || type === 'character varying' ? erase : (json: string) => eraseInJson(json, erase)
  return rows.map((row) => ({ ...row, text: cleaned(row.text) })).filter((row, i) => row.text !== rows[i]!.text)
}

const writeTexts = (sql: Sql, { schema, table, column, type }: Column, rows: TextRow[]) => {
  const value =
    type === 'text[]'
      ? sql`array(select json_array_elements_text(cleaned.text::json))`
      : sql`cleaned.text::${sql.unsafe(type)}`
  return sql`
    update ${sql(schema)}.${sql(table)} t set ${sql(column)} = ${value}
      from unnest(${rows.map((row) => row.table)}::oid[], ${rows.map((row) => row.place)}::tid[],
                  ${rows.map((row) => row.text)}::text[]) as cleaned (source, place, text)
     where t.tableoid = cleaned.source and t.ctid = cleaned.place`
}

/** Every text in it, including field names; a number becomes a text, so that the result is valid JSON. */
const eraseInJson = (json: string, erase: (text: string) => string): string =>
  json.replace(tokens, (token) => {
    const text = token.startsWith('"') ? (JSON.parse(token) as string) : token
    const cleaned = erase(text)
    return cleaned === text ? token : JSON.stringify(cleaned)
  })

const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

const textColumns = (sql: Sql, schemas: string[]) => sql<Column[]>`
  select n.nspname as schema, c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where n.nspname = any(${schemas}::text[]) and c.relkind in ('r', 'p') and not c.relispartition and a.attgenerated = ''
     and format_type(a.atttypid, null) in ('text', 'jsonb', 'json', 'text[]', 'character varying')`
