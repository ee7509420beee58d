import type { Account } from '../domain/lookup.ts'
import { hash } from './data/hash.ts'
import type { OperationName } from './operations.ts'
import type { IssuedToken } from './records.ts'
import {
  type AccountWork,
  type Order,
  type Reply,
  refusals,
  type SandboxInternals,
  type Work,
  wrongParameters,
} from './registry.ts'

/** Creates and records a new access token, which expires as the scenario says. */
export const issueToken = (registry: SandboxInternals): IssuedToken => {
  const { expiresAfterMs, jwt } = registry.scenario.token
  const at = registry.now()
  const expiresAt = expiresAfterMs === null ? null : at + expiresAfterMs
  const n = registry.records.tokens.size
  const text = jwt
    ? jsonWebToken(n, at, expiresAt, registry.seed)
    : n === 0
      ? credentials.token
      : `sandbox-access-${n + 1}-${hash(`token ${n}`, registry.seed).toString(16)}`
  const token = { token: text, at, expiresAt, email: credentials.email, calls: 0 }
  registry.record({ type: 'token', token })
  return token
}

/** The token of a request, if it is still valid; counts the call against its lifetime. */
export const useToken = (registry: SandboxInternals, authorization: string | undefined): IssuedToken | undefined => {
  const token = knownToken(registry, authorization)
  if (!token || hasExpired(registry, token)) return undefined
  token.calls++
  return token
}

/** An expired token still identifies its bearer, which is all that a refresh needs. (Interface 5.2) */
export const knownToken = (registry: SandboxInternals, authorization: string | undefined): IssuedToken | undefined => {
  const text = authorization?.startsWith('Bearer ') ? authorization.slice(7) : ''
  if (text === tokenWithoutEmail) return { token: text, at: 0, expiresAt: null, email: null, calls: 0 }
  return registry.records.tokens.get(text)
}

const hasExpired = (registry: SandboxInternals, token: IssuedToken): boolean => {
  const { expiresAfterCalls } = registry.scenario.token
  if (expiresAfterCalls !== null && token.calls >= expiresAfterCalls) return true
  return token.expiresAt !== null && registry.now() >= token.expiresAt
}

const jsonWebToken = (n: number, at: number, expiresAt: number | null, seed: number): string => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = expiresAt === null ? {} : { exp: Math.floor(expiresAt / 1000) }
  const claims = { sub: credentials.username, jti: String(n), iat: Math.floor(at / 1000), ...exp }
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${hash(`signature ${n}`, seed).toString(36)}`
}

/** The accounts of the sandbox: one caller with two organizations, each with its own holder and plan. */
export const accounts: readonly [Account, Account] = [
  { organizationId: 7001, holderId: 501, planId: 31 },
  { organizationId: 7002, holderId: 502, planId: 32 },
]

/** An organization that exists, but that the caller may not use. */
export const foreignAccount: Account = { organizationId: 7999, holderId: 599, planId: 39 }

export type SandboxCredentials = { token: string; refreshToken: string; email: string; username: string }

/** What the sandbox accepts from the start; not a secret, because it opens nothing but a sandbox. */
export const credentials: SandboxCredentials = {
  token: 'sandbox-access-1',
  refreshToken: 'sandbox-refresh',
  email: 'vigia@sandbox.invalid',
  username: 'vigia',
}

/** A caller without an e-mail address: inactivation answers it with "email required". (Interface 7) */
export const tokenWithoutEmail = 'sandbox-access-without-email'

export const accountOf = (organizationId: number): Account | undefined =>
  accounts.find((account) => account.organizationId === organizationId)

export const accountOfPlan = (planId: number): Account | undefined =>
  accounts.find((account) => account.planId === planId)

/** What a call names in its path and its body. */
type Claim = { organizationId?: unknown; holderId?: unknown; planId?: unknown }

/** Lets the operation work only if the caller may use the organization, its holder, and for it its plan. (Interface 5.3) */
export const forAccount =
  (work: AccountWork): Work =>
  (call, registry) => {
    const account = authorize(call, registry, { ...call.params, ...(call.body as Claim | undefined) })
    return 'status' in account ? account : work(call, registry, account)
  }

/** The account, or the refusal. */
const authorize = (call: Order, registry: SandboxInternals, claim: Claim): Account | Reply => {
  const organizationId = toInteger(claim.organizationId)
  if (organizationId === null) return wrongParameters('organizationId')
  call.exchange.organizationId = organizationId
  const account = accountOf(organizationId)
  const denied = !account || registry.scenario.deniedOrganizations.includes(organizationId)
  if (denied || !agrees(claim.holderId, account.holderId)) return refusals.accessDenied
  if (!agrees(claim.planId, account.planId) || excludes(registry, account.planId, call.exchange.operation))
    return refusals.planNotAllowed
  return account
}

/** Whether the plan has no units left for another charge. */
export const isExhausted = (registry: SandboxInternals, { planId, organizationId }: Account): boolean => {
  const units = registry.scenario.plans[planId]?.units ?? null
  return units !== null && (registry.records.chargedBy.get(organizationId) ?? 0) >= units
}

export const excludes = (registry: SandboxInternals, planId: number, operation: OperationName): boolean =>
  registry.scenario.plans[planId]?.excludes.includes(operation) ?? false

const agrees = (claimed: unknown, actual: number): boolean => claimed === undefined || toInteger(claimed) === actual

const toInteger = (value: unknown): number | null => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null
}
