import type { JSONValue } from 'postgres'
import type { Rule } from '../../domain/rule.ts'
import type { Sql } from '../connect.ts'

/** A rule of the page. */
type PageRule = { id: bigint; setting: Rule; isOn: boolean; addedAt: Date; addedBy: string }

export const listPageRules = (sql: Sql) => sql<PageRule[]>`
  select id, setting, switched_on as "isOn", added_at as "addedAt", added_by as "addedBy" from vigia.rule order by lower(name)`

/** Off at first; null if there is one of that name. */
export const insertPageRule = async (
  sql: Sql,
  rule: Rule,
  { by, now }: { by: string; now: Date },
): Promise<bigint | null> => {
  const [row] = await sql<{ id: bigint }[]>`
    insert into vigia.rule (name, setting, added_at, added_by)
    values (${rule.name}, ${sql.json(rule as unknown as JSONValue)}, ${now}, ${by})
        on conflict (lower(name)) do nothing
    returning id`
  return row?.id ?? null
}

/** Returns its name; null if there is none. */
export const switchPageRule = async (sql: Sql, id: bigint, isOn: boolean): Promise<string | null> => {
  const [row] = await sql<{ name: string }[]>`
    update vigia.rule set switched_on = ${isOn} where id = ${id} returning name`
  return row?.name ?? null
}

export const deletePageRule = async (sql: Sql, id: bigint): Promise<string | null> => {
  const [row] = await sql<{ name: string }[]>`delete from vigia.rule where id = ${id} returning name`
  return row?.name ?? null
}
