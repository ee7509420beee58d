import type { Account } from '../../domain/lookup.ts'
import { isCnpj, isCpf } from '../data/document-check.ts'
import { indicatorsOf } from '../data/people.ts'
import { type Order, progressOf, refusals, type SandboxInternals, type Work } from '../registry.ts'
import { accountOfPlan, accounts, excludes } from '../tokens.ts'

/**
 * The first request of a day starts the query; later requests find it finished. (Interface 4.11)
 *
 * The interface does not show where `planId` is passed: the sandbox reads the query, or else uses the caller's first plan.
 */
export const scr: Work = (call, registry) => {
  const document = call.params.document as string
  const account = planOf(call)
  if (!account || excludes(registry, account.planId, 'scr')) return refusals.planNotAllowed
  call.exchange.organizationId = account.organizationId
  if (!isCpf(document) && !isCnpj(document)) return refusals.invalidDocument
  const started = startedQuery(registry, account.planId, document, call.stuck)
  if (progressOf(registry, started) < 1) return refusals.processing
  return { status: 200, body: indicatorsOf(document, registry.seed, registry.records.day) }
}

const planOf = (call: Order): Account | undefined => {
  const planId = new URLSearchParams(call.query).get('planId')
  return planId === null ? accounts[0] : accountOfPlan(Number(planId))
}

const startedQuery = (registry: SandboxInternals, planId: number, document: string, stuck: boolean) => {
  const { records } = registry
  const open = records.scr.get(`${planId} ${document}`)
  if (open?.day === records.day && !stuck) return open
  const query = { type: 'scr' as const, planId, document, at: registry.now(), day: records.day, stuck }
  registry.record(query)
  return query
}
