import type { Token } from './books.ts'
import { hash } from './data/hash.ts'
import { credentials, tokenWithoutEmail } from './identity.ts'
import type { Registry } from './registry.ts'

/** Makes and records a new access token that ends when the scenario says. */
export function issueToken(registry: Registry): Token {
  const { expiresAfterMs, jwt } = registry.scenario.token
  const at = registry.now()
  const expiresAt = expiresAfterMs === null ? null : at + expiresAfterMs
  const n = registry.books.tokens.size
  const text = jwt
    ? jsonWebToken(n, at, expiresAt, registry.seed)
    : n === 0
      ? credentials.token
      : `sandbox-access-${n + 1}-${hash(`token ${n}`, registry.seed).toString(16)}`
  const token = { token: text, at, expiresAt, email: credentials.email, calls: 0 }
  registry.record({ type: 'token', token })
  return token
}

/** The token of a request if it still opens the door; counts the call against its life. */
export function useToken(registry: Registry, authorization: string | undefined): Token | undefined {
  const token = knownToken(registry, authorization)
  if (!token || hasExpired(registry, token)) return undefined
  token.calls++
  return token
}

/** An expired token still names its bearer, which is all that a refresh asks of it. (Interface 5.2) */
export function knownToken(registry: Registry, authorization: string | undefined): Token | undefined {
  const text = authorization?.startsWith('Bearer ') ? authorization.slice(7) : ''
  if (text === tokenWithoutEmail) return { token: text, at: 0, expiresAt: null, email: null, calls: 0 }
  return registry.books.tokens.get(text)
}

export function hasExpired(registry: Registry, token: Token): boolean {
  const { expiresAfterCalls } = registry.scenario.token
  if (expiresAfterCalls !== null && token.calls >= expiresAfterCalls) return true
  return token.expiresAt !== null && registry.now() >= token.expiresAt
}

function jsonWebToken(n: number, at: number, expiresAt: number | null, seed: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = expiresAt === null ? {} : { exp: Math.floor(expiresAt / 1000) }
  const claims = { sub: credentials.username, jti: String(n), iat: Math.floor(at / 1000), ...exp }
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${hash(`signature ${n}`, seed).toString(36)}`
}
