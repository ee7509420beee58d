import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { z } from 'zod'
import { notFound } from '../operations/operation.ts'
import { columnOfPart } from '../views/own-row.ts'

const id = z.string().regex(/^\d{1,18}$/)

/** The number in an address such as `/batches/12`; anything else is not found. */
export const idIn = (params: unknown, name: string): bigint => {
  const value = id.safeParse((params as Record<string, unknown>)[name])
  if (!value.success) throw notFound(name)
  return BigInt(value.data)
}

export const lineIn = (params: unknown): number => {
  const line = Number(idIn(params, 'line'))
  if (line > 2_147_483_647) throw notFound('line')
  return line
}

/** One value of a query; empty counts as absent. */
export const queryText = (query: unknown, name: string, longest = 100): string | undefined => {
  const value = (query as Record<string, unknown>)[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, longest) : undefined
}

/** A whole number of a query, up to `most`; 0 if there is none. */
export const queryNumber = (query: unknown, name: string, most: number): number => {
  const text = queryText(query, name, 10) ?? ''
  return /^\d+$/.test(text) ? Math.min(Number(text), most) : 0
}

/** The page of a row, and of one of its documents where it has several. */
export const rowAddress = (
  batch: { id: bigint; layout: unknown },
  { line, part }: { line: number; part: number },
  below = '',
): string => `/batches/${batch.id}/rows/${line}${below}${queryOf({ column: columnOfPart(batch, part) ?? undefined })}`

/** `?a=1&b=2` of the values that are not undefined. */
export const queryOf = (values: Record<string, string | number | bigint | undefined>): string => {
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}

type Watched = { organizationId: bigint; document: string }

/**
 * Encrypts a document into an address, so that no browser history, bookmark or log contains it.
 *
 * The same document has the same address: the nonce comes from the text itself, under the same secret.
 */
export const sealAddress = (secret: Buffer, { organizationId, document }: Watched): string => {
  const text = `${organizationId}:${document}`
  const nonce = createHmac('sha256', secret).update(text).digest().subarray(0, 12)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce)
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return sealed.toString('base64url')
}

export const openAddress = (secret: Buffer, address: string): Watched => {
  try {
    const sealed = Buffer.from(address, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, 12)).setAuthTag(sealed.subarray(-16))
    const text = `${decipher.update(sealed.subarray(12, -16), undefined, 'utf8')}${decipher.final('utf8')}`
    const [organizationId, document] = text.split(':') as [string, string]
    return { organizationId: BigInt(organizationId), document }
  } catch {
    throw notFound('radar')
  }
}
