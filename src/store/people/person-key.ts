import { createHmac } from 'node:crypto'
import type { Sql } from '../connect.ts'
import { readPageSecret } from './operators.ts'

/**
 * The name under which the audit log keeps who looked at a person: no document stands in it, and without the secret
 * nobody can tell whose it is.
 */
export const personKey = async (sql: Sql, document: string): Promise<string> =>
  createHmac('sha256', await readPageSecret(sql))
    .update(`person ${document}`)
    .digest('base64url')
    .slice(0, 22)

/** Somebody looked, and still did; at whom, nobody can tell any more. */
export const forgetLooks = (sql: Sql, key: string) => sql`
  update vigia.audit set detail = detail - 'person' where detail ->> 'person' = ${key}`
