import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { notFound } from '../operations/refusal.ts'

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
