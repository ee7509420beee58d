import { createHash, randomBytes } from 'node:crypto'
import type { Sql } from '../connect.ts'
import { firstRow, firstValue, isAny } from '../rows.ts'

/** Each role may do what the one before it may, and more. */
export const roles = ['analyst', 'ops', 'admin'] as const

export type Role = (typeof roles)[number]

export const mayActAs = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

export type Operator = {
  name: string
  role: Role
  /** Null: every organization. */
  organizations: readonly bigint[] | null
  /** Null: the token does not expire. */
  expiresAt: Date | null
  createdAt: Date
}

type NewOperator = Pick<Operator, 'name' | 'role'> &
  Partial<Pick<Operator, 'organizations' | 'expiresAt'>> & { tokenHash: string }

/** A new token for an operator: 256 random bits after a prefix that is easy to recognise in a log. */
export const createToken = (): string => `vig_${randomBytes(32).toString('base64url')}`

/** The stored form of a secret. It has 256 random bits and cannot be guessed, so a plain hash is enough. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** False if the name is taken: nobody would know which of two tokens is in use. */
export const insertOperator = (
  sql: Sql,
  { name, role, tokenHash, organizations = null, expiresAt = null }: NewOperator,
): Promise<boolean> =>
  isAny(sql`
    insert into vigia.operator (name, role, token_hash, organizations, expires_at)
    values (${name}, ${role}, ${tokenHash}, ${organizations}::bigint[], ${expiresAt})
        on conflict (name) do nothing`)

/** `local` is the operator who signs in with the link of the worker. */
export const isOperatorName = (text: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,59}$/u.test(text) && text !== 'local'

/** Open sessions have the new role at once. */
export const changeRole = (sql: Sql, name: string, role: Role): Promise<boolean> =>
  isAny(sql`update vigia.operator set role = ${role} where name = ${name}`)

/** Deletes an operator and ends their sessions. */
export const deleteOperator = (sql: Sql, name: string): Promise<boolean> =>
  isAny(sql`delete from vigia.operator where name = ${name}`)

export const listOperators = (sql: Sql) => sql<Operator[]>`
  select name, role, organizations, expires_at, created_at from vigia.operator order by name`

export const findOperatorByToken = (
  sql: Sql,
  tokenHash: string,
  now: Date,
): Promise<Pick<Operator, 'name' | 'role' | 'organizations'> | null> =>
  firstRow(sql`
    select name, role, organizations from vigia.operator o where token_hash = ${tokenHash} and ${isValid(sql, now)}`)

const isValid = (sql: Sql, now: Date) => sql`(o.expires_at is null or o.expires_at > ${now})`

export const countOperators = (sql: Sql): Promise<number> => firstValue(sql`select count(*)::int from vigia.operator`)

type Session = { operator: string | null; role: Role; organizations: readonly bigint[] | null; csrf: string }

/** Opens a session and deletes expired ones. */
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

/** A session without an operator was opened by a sign-in link; it is valid only while the page is on loopback. */
export const findSession = (sql: Sql, idHash: string, now: Date, loopback: boolean): Promise<Session | null> =>
  firstRow(sql`
    select s.operator, coalesce(o.role, 'admin') as role, o.organizations, s.csrf
      from vigia.session s
      left join vigia.operator o on o.name = s.operator
     where s.id_hash = ${idHash} and s.expires_at > ${now} and ${isValid(sql, now)} and (s.operator is not null or ${loopback})`)

export const endSession = (sql: Sql, idHash: string) => sql`delete from vigia.session where id_hash = ${idHash}`
