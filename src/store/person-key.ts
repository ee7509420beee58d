import { createHmac } from 'node:crypto'
import type { Sql } from './connect.ts'
import { firstValue } from './rows.ts'

/** The key with which every page of the fleet seals documents. */
export const readPageSecret = (sql: Sql): Promise<Buffer> => firstValue(sql`select secret from vigia.page_secret`)

/**
 * The key under which the audit log records who looked at a person: it contains no document, and without the secret nobody
 * can find whose it is.
 */
export const personKey = async (sql: Sql, document: string): Promise<string> =>
  keyOf(await readPageSecret(sql), `person ${document}`).slice(0, 22)

/**
 * Replaces the document of an erased person in a purchase that is still fresh: a new look-up of the same document finds it,
 * and nobody can read it back without the secret.
 */
export const purchaseKeys = async (sql: Sql): Promise<(document: string) => string> => {
  const secret = await readPageSecret(sql)
  return (document) => keyOf(secret, `purchase ${document}`)
}

const keyOf = (secret: Buffer, text: string): string => createHmac('sha256', secret).update(text).digest('base64url')

/** Removes whom an entry is about: it still records that somebody looked, but not at whom. */
export const forgetLooks = (sql: Sql, key: string) => sql`
  update vigia.audit set detail = detail - 'person' where detail ->> 'person' = ${key}`
