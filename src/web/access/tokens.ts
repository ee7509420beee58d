import { createHash, randomBytes } from 'node:crypto'

/** A new secret for an operator: 256 random bits, recognisable in a log by its first letters. */
export const createToken = (): string => `vig_${randomBytes(32).toString('base64url')}`

export const createSecret = (): string => randomBytes(32).toString('base64url')

/** What is stored of a secret. With 256 random bits there is nothing to guess, so a plain hash is enough. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
