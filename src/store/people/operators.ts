import type { Sql } from '../connect.ts'

export const roles = ['analyst', 'ops', 'admin'] as const

export type Role = (typeof roles)[number]

export type Operator = { name: string; role: Role; createdAt: Date }

/** False where the name is taken: a second token for it would be one that nobody remembers. */
export const insertOperator = async (
  sql: Sql,
  operator: { name: string; role: Role; tokenHash: string },
): Promise<boolean> => {
  const made = await sql`
    insert into vigia.operator (name, role, token_hash) values (${operator.name}, ${operator.role}, ${operator.tokenHash})
        on conflict (name) do nothing
    returning name`
  return made.length > 0
}

/** The sessions of an operator end with him. */
export const deleteOperator = async (sql: Sql, name: string): Promise<boolean> => {
  const gone = await sql`delete from vigia.operator where name = ${name} returning name`
  return gone.length > 0
}

export const listOperators = (sql: Sql) => sql<Operator[]>`
  select name, role, created_at as "createdAt" from vigia.operator order by name`

export const findOperatorByToken = async (
  sql: Sql,
  tokenHash: string,
): Promise<Pick<Operator, 'name' | 'role'> | null> => {
  const [row] = await sql<Pick<Operator, 'name' | 'role'>[]>`
    select name, role from vigia.operator where token_hash = ${tokenHash}`
  return row ?? null
}

export const countOperators = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from vigia.operator`
  return row?.count ?? 0
}

type Session = { operator: string | null; role: Role; csrf: string }

/** Opens a session and clears away the ones that are over. */
export const beginSession = async (
  sql: Sql,
  session: { idHash: string; operator: string | null; csrf: string },
  expiresAt: Date,
  now: Date,
): Promise<void> => {
  await sql`delete from vigia.session where expires_at <= ${now}`
  await sql`
    insert into vigia.session (id_hash, operator, csrf, expires_at)
    values (${session.idHash}, ${session.operator}, ${session.csrf}, ${expiresAt})`
}

/** A session of no operator was opened by a sign-in link; it counts only while the page is on loopback. */
export const findSession = async (sql: Sql, idHash: string, now: Date, loopback: boolean): Promise<Session | null> => {
  const [row] = await sql<Session[]>`
    select s.operator, coalesce(o.role, 'admin') as role, s.csrf
      from vigia.session s
      left join vigia.operator o on o.name = s.operator
     where s.id_hash = ${idHash} and s.expires_at > ${now} and (s.operator is not null or ${loopback})`
  return row ?? null
}

export const endSession = (sql: Sql, idHash: string) => sql`delete from vigia.session where id_hash = ${idHash}`
