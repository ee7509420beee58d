import type { z } from 'zod'
import { isCpf } from '../data/document-check.ts'
import { hash } from '../data/hash.ts'
import { hasLicence, licenceOf } from '../data/people.ts'
import { answerMoment, momentText } from '../moments.ts'
import type { Cnh } from '../records.ts'
import { type AccountWork, progressOf, refusals, type SandboxInternals } from '../registry.ts'
import { isExhausted } from '../tokens.ts'
import type { CnhRecord, cnhBody } from '../wire.ts'

/** Each call queues a new request and costs one unit. (Interface 4.1) */
export const cnhCreate: AccountWork = (call, registry, account) => {
  const { document, organizationId } = call.body as z.output<typeof cnhBody>
  if (!isCpf(document)) return refusals.invalidDocument
  if (isExhausted(registry, account)) return refusals.planNotAllowed
  return { status: 201, body: recordOf(registry, buyCnh(registry, organizationId, document, call.stuck), true) }
}

/** Records a CNH request and its charge as one happening. */
export const buyCnh = (registry: SandboxInternals, organizationId: number, document: string, stuck: boolean): Cnh => {
  const n = registry.records.cnh.size + 1
  const id = `cnh-${n}-${hash(`request ${n}`, registry.seed).toString(16).padStart(8, '0')}`
  const cnh = { id, organizationId, document, at: registry.now(), stuck }
  registry.record({ type: 'cnh', cnh })
  return cnh
}

/** A finished request for somebody without a licence answers 404. (Interface 4.2, 7) */
export const cnhRead: AccountWork = (call, registry, account) => {
  const cnh = registry.records.cnh.get(call.params.requestId as string)
  if (cnh?.organizationId !== account.organizationId || isNew(registry, cnh)) return refusals.cnhMissing
  call.exchange.document = cnh.document
  return isAbsent(registry, cnh) ? refusals.cnhMissing : { status: 200, body: recordOf(registry, cnh, call.stuck) }
}

/** The latest record of a CPF, finished or not unless the scenario hides them; 404 if none was requested. (Interface 4.3) */
export const cnhLatest: AccountWork = (call, registry, { organizationId }) => {
  const cnh = registry.records.latestCnh.get(`${organizationId} ${call.params.document}`)
  if (!cnh || isNew(registry, cnh) || isHidden(registry, cnh, call.stuck)) return refusals.cnhMissing
  return { status: 200, body: recordOf(registry, cnh, call.stuck) }
}

const isNew = ({ scenario, now }: SandboxInternals, { at }: Cnh): boolean => now() - at < scenario.hidesNewCnhMs

const isHidden = (registry: SandboxInternals, cnh: Cnh, stuck: boolean): boolean => {
  const { hidesAbsentCnh, hidesPendingCnh } = registry.scenario
  const isPending = stuck || progressOf(registry, cnh) < 1
  return (hidesAbsentCnh && isAbsent(registry, cnh)) || (hidesPendingCnh && isPending)
}

const isAbsent = (registry: SandboxInternals, cnh: Cnh): boolean =>
  progressOf(registry, cnh) >= 1 && !hasLicence(cnh.document, registry.seed)

const recordOf = (registry: SandboxInternals, cnh: Cnh, unfinished: boolean): CnhRecord => {
  const progress = unfinished ? 0 : progressOf(registry, cnh)
  const found = progress >= 1 && hasLicence(cnh.document, registry.seed)
  const { words: statusNames } = registry.scenario.world
  return {
    requestId: cnh.id,
    organizationId: cnh.organizationId,
    document: cnh.document,
    status: progress < 0.5 ? statusNames.pending : progress < 1 ? statusNames.processing : found ? 'DONE' : 'NOT_FOUND',
    data: found ? licenceOf(cnh.document, registry.seed) : null,
    createdAt: answerMoment(registry, cnh.at, 'zoned'),
    updatedAt: progress < 1 ? null : momentText(registry, cnh.at + registry.readyAfterMs, 'zoned'),
  }
}
