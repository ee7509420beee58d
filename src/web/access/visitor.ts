import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '../../store/people/operators.ts'

/**
 * Whoever is signed in. `csrf` is null for a bearer of a token, whom no other page can make send it; `organizations` is
 * null for who is bound to none and sees all of them.
 */
export type Visitor = { name: string; role: Role; organizations: readonly bigint[] | null; csrf: string | null }

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
  }
  interface FastifyContextConfig {
    /** What the route takes; `everyone` needs no sign-in. */
    role?: Role | 'everyone'
  }
}

/** Each role may do what the one before it may, and more. */
const order: readonly Role[] = ['analyst', 'ops', 'admin']

export const mayActAs = (role: Role, needed: Role): boolean => order.indexOf(role) >= order.indexOf(needed)

/** A new secret for an operator: 256 random bits, recognisable in a log by its first letters. */
export const createToken = (): string => `vig_${randomBytes(32).toString('base64url')}`

export const createSecret = (): string => randomBytes(32).toString('base64url')

/** What is stored of a secret. With 256 random bits there is nothing to guess, so a plain hash is enough. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
