/**
 * When a token should be renewed: a minute before its end, or earlier in a short life; never, where it does not tell.
 *
 * A token that seems to be over when it is first seen says more about our clock: the registry's 401 decides then.
 */
export function renewalTime(token: string, now: Date): number {
  const { exp, iat } = claimsOf(token)
  if (typeof exp !== 'number') return Number.POSITIVE_INFINITY
  const begin = typeof iat === 'number' ? iat * 1000 : now.getTime()
  const at = exp * 1000 - Math.min(60_000, Math.max(0, exp * 1000 - begin) / 4)
  return at > now.getTime() ? at : Number.POSITIVE_INFINITY
}

function claimsOf(token: string): { exp?: unknown; iat?: unknown } {
  const [, payload, signature] = token.split('.')
  if (!payload || signature === undefined) return {}
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) ?? {}
  } catch {
    return {}
  }
}
