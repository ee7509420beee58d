import type { Sql } from './connect.ts'

export const roles = ['analyst', 'ops', 'admin'] as const

export type Role = (typeof roles)[number]

export type Operator = { name: string; role: Role; createdAt: Date }

/** False where the name is taken: a second token for it would be one that nobody remembers. */
export const insertOperator = async (
  sql: Sql,
  operator: { name: string; role: Role; tokenHash: string },
): Promise<boolean> => {
  const made = await sql`
    insert into operator (name, role, token_hash) values (${operator.name}, ${operator.role}, ${operator.tokenHash})
        on conflict (name) do nothing
    returning name`
  return made.length > 0
}

/** The sessions of an operator end with him. */
export const deleteOperator = async (sql: Sql, name: string): Promise<boolean> => {
  const gone = await sql`delete from operator where name = ${name} returning name`
  return gone.length > 0
}

export const listOperators = (sql: Sql) => sql<Operator[]>`
  select name, role, created_at as "createdAt" from operator order by name`

export const findOperatorByToken = async (
  sql: Sql,
  tokenHash: string,
): Promise<Pick<Operator, 'name' | 'role'> | null> => {
  const [row] = await sql<Pick<Operator, 'name' | 'role'>[]>`
    select name, role from operator where token_hash = ${tokenHash}`
  return row ?? null
}

export const countOperators = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from operator`
  return row?.count ?? 0
}
