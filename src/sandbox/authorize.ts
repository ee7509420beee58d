import type { Account } from '../domain/lookup.ts'
import type { OperationName } from './operations.ts'
import { accessDenied, planNotAllowed, wrongParameters } from './refusals.ts'
import type { Order, Reply, SandboxInternals } from './registry.ts'
import { accountOf } from './tokens.ts'

type Claim = { organizationId: unknown; holderId?: unknown; planId?: unknown }

/**
 * Whether the caller may use the organization, its holder, and for this operation its plan.
 * Returns the account, or the refusal. (Interface 5.3)
 */
export const authorize = (call: Order, registry: SandboxInternals, claim: Claim): Account | Reply => {
  const organizationId = toInteger(claim.organizationId)
  if (organizationId === null) return wrongParameters('organizationId')
  call.exchange.organizationId = organizationId
  const account = accountOf(organizationId)
  const denied = !account || registry.scenario.deniedOrganizations.includes(organizationId)
  if (denied || !agrees(claim.holderId, account.holderId)) return accessDenied()
  if (!agrees(claim.planId, account.planId) || excludes(registry, account.planId, call.exchange.operation))
    return planNotAllowed()
  return account
}

export const isRefusal = (outcome: Account | Reply): outcome is Reply => 'status' in outcome

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
