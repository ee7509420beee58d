import type { Sql } from './connect.ts'
import type { Role } from './operators.ts'

export type Session = { operator: string | null; role: Role; csrf: string }

/** Opens a session and clears away the ones that are over. */
export const beginSession = async (
  sql: Sql,
  session: { idHash: string; operator: string | null; csrf: string },
  expiresAt: Date,
  now: Date,
): Promise<void> => {
  await sql`delete from session where expires_at <= ${now}`
  await sql`
    insert into session (id_hash, operator, csrf, expires_at)
    values (${session.idHash}, ${session.operator}, ${session.csrf}, ${expiresAt})`
}

/** A session of no operator was opened by a sign-in link; it counts only while the page is on loopback. */
export const findSession = async (sql: Sql, idHash: string, now: Date, loopback: boolean): Promise<Session | null> => {
  const [row] = await sql<Session[]>`
    select s.operator, coalesce(o.role, 'admin') as role, s.csrf
      from session s
      left join operator o on o.name = s.operator
     where s.id_hash = ${idHash} and s.expires_at > ${now} and (s.operator is not null or ${loopback})`
  return row ?? null
}

export const endSession = (sql: Sql, idHash: string) => sql`delete from session where id_hash = ${idHash}`
