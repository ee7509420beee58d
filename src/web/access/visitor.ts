import { randomBytes } from 'node:crypto'
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

export const createSecret = (): string => randomBytes(32).toString('base64url')
