import type { Role } from '../../store/operators.ts'

/** Whoever is signed in. `csrf` is null for a bearer of a token, whom no other page can make send it. */
export type Visitor = { name: string; role: Role; csrf: string | null }

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
  }
  interface FastifyContextConfig {
    /** What the route takes; `everyone` needs no sign-in. */
    role?: Role | 'everyone'
  }
}
