import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Database, Sql } from '../connect.ts'
import { isAny } from '../rows.ts'

type Token = { token: string; generation: number }

/** The access token of the fleet, sealed with a key that only holders of the refresh token can derive. */
type CredentialVault = {
  read(): Promise<Token | null>
  exchange(seenGeneration: number, renew: (current: Token) => Promise<string>): Promise<Token>
}

/**
 * Opens the vault of a registry and stores the operator's token, unless the stored one was renewed from it. `replaced`: the
 * operator gave another token than last time, so holds for the old token may end.
 */
export const openVault = async (
  sql: Database,
  registry: string,
  given: { token: string; refreshToken: string },
): Promise<CredentialVault & { replaced: boolean }> => {
  const key = Buffer.from(hkdfSync('sha256', given.refreshToken, 'vigia', 'token vault', 32))
  const replaced = await putGiven(sql, registry, seal(key, given.token), fingerprint(key, given.token))
  return {
    replaced,
    async read() {
      const [row] = await sql<Row[]>`select generation, sealed from vigia.credential where registry = ${registry}`
      return row ? unsealed(key, row) : null
    },
    exchange: (seenGeneration, renew) =>
      sql.begin(async (tx) => {
        const current = unsealed(key, await lockToken(tx, registry))
        if (current.generation > seenGeneration) return current
        const token = await renew(current)
        await tx`
          update vigia.credential
             set generation = generation + 1, sealed = ${seal(key, token)}, renewed_at = now()
           where registry = ${registry}`
        return { token, generation: current.generation + 1 }
      }),
  }
}

type Row = { generation: number; sealed: Buffer }

/** Held while the registry is asked: another process that sees the same expiry waits here and finds the new token. */
const lockToken = async (tx: Sql, registry: string): Promise<Row> => {
  const [row] = await tx<Row[]>`select generation, sealed from vigia.credential where registry = ${registry} for update`
  if (!row) throw new Error('The token is gone from the database: start Vigia again to put it back')
  return row
}

const putGiven = async (sql: Sql, registry: string, sealed: Buffer, given: string): Promise<boolean> => {
  await sql`
    insert into vigia.credential (registry, generation, sealed, given) values (${registry}, 1, ${sealed}, ${given})
        on conflict (registry) do nothing`
  return isAny(sql`
    update vigia.credential
       set generation = generation + 1, sealed = ${sealed}, given = ${given}, renewed_at = now()
     where registry = ${registry} and given <> ${given}`)
}

const fingerprint = (key: Buffer, token: string): string => createHmac('sha256', key).update(token).digest('hex')

const seal = (key: Buffer, token: string): Buffer => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  return Buffer.concat([nonce, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

const unsealed = (key: Buffer, { generation, sealed }: Row): Token => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAuthTag(sealed.subarray(-16))
  return {
    generation,
    token: `${decipher.update(sealed.subarray(12, -16), undefined, 'utf8')}${decipher.final('utf8')}`,
  }
}
