import { createHmac } from 'node:crypto'
import type { Sql } from './connect.ts'
import { readPageSecret } from './page-secret.ts'

/**
 * The name under which the audit log keeps who looked at a person: no document stands in it, and without the secret
 * nobody can tell whose it is.
 */
export const personKey = async (sql: Sql, document: string): Promise<string> =>
  keyOf(await readPageSecret(sql), `person ${document}`).slice(0, 22)

/**
 * What stands for the document of an erased person beside a purchase that is still fresh: whoever asks about the same
 * document again finds it, and nobody can read it back without the secret.
 */
export const purchaseKeys = async (sql: Sql): Promise<(document: string) => string> => {
  const secret = await readPageSecret(sql)
  return (document) => keyOf(secret, `purchase ${document}`)
}

const keyOf = (secret: Buffer, text: string): string => createHmac('sha256', secret).update(text).digest('base64url')

/** Somebody looked, and still did; at whom, nobody can tell any more. */
export const forgetLooks = (sql: Sql, key: string) => sql`
  update vigia.audit set detail = detail - 'person' where detail ->> 'person' = ${key}`
