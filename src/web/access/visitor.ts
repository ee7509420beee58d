import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '../../store/people/operators.ts'

/**
 * The person who is signed in. `csrf` is null for a bearer token, which no other page can make a browser send.
 * `organizations` is null for operators who may see all of them.
 */
export type Visitor = { name: string; role: Role; organizations: readonly bigint[] | null; csrf: string | null }

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
  }
  interface FastifyContextConfig {
    /** The role that the route needs; `everyone` needs no sign-in. */
    role?: Role | 'everyone'
  }
}

/** A new token for an operator: 256 random bits after a prefix that is easy to recognise in a log. */
export const createToken = (): string => `vig_${randomBytes(32).toString('base64url')}`

export const createSecret = (): string => randomBytes(32).toString('base64url')

/** The stored form of a secret. It has 256 random bits and cannot be guessed, so a plain hash is enough. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
