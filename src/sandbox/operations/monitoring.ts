import type { z } from 'zod'
import { isDocument, isProcessNumber } from '../data/document-check.ts'
import { personNameOf } from '../data/people.ts'
import { processCountOf } from '../data/risk.ts'
import { momentText } from '../moments.ts'
import { analysesOf, type BookedRadar } from '../records.ts'
import { type AccountWork, epochOf, refusals, type SandboxInternals, type Work } from '../registry.ts'
import { forAccount } from '../tokens.ts'
import type { processCountBody, RadarLink, radarBody } from '../wire.ts'

/** `total` is the number of processes; the one item shows the document's plan consumption. (Interface 4.7) */
export const processCount: AccountWork = (call, registry, { organizationId }) => {
  const { documentType, documentNumber } = call.body as z.output<typeof processCountBody>
  if (!isDocument(documentType, documentNumber)) return refusals.invalidDocument
  const bought = analysesOf(registry.records, organizationId, documentNumber)
  const since = momentText(registry, bought[0]?.at ?? registry.now(), 'zoned')
  const item = {
    accessPauseMonitor: false,
    documentInfo: personNameOf(documentNumber, registry.seed),
    dayPauseMonitor: 0,
    documentType,
    documentNumber,
    consume: bought.length,
    typePlan: 'ANALYTICS',
    userPlanConsumeUniqueId: bought[0]?.uniqueId ?? 0,
    createdAt: since,
    deletedAt: '',
    planChangedAt: '',
    dtAvailablePause: '',
    updatedAt: since,
    typeSearch: 'DOCUMENT',
  }
  const total = processCountOf(documentNumber, epochOf(registry), registry.records.planted.get(documentNumber))
  return { status: 200, body: { success: true, reason: '', total, result: [item] } }
}

/** Adding the same document again links it a second time: nothing here is idempotent. (Interface 4.8) */
export const radarAdd: AccountWork = (call, registry, { organizationId }) => {
  const { name, code, type } = call.body as z.output<typeof radarBody>
  if (!isDocument(type, code)) return refusals.invalidDocument
  const id = registry.records.nextRadarId
  const at = registry.now()
  registry.record({ type: 'radar', radar: { id, organizationId, code, name, type, at, active: true } })
  return { status: 201, body: { name, code, type } }
}

/** Any query parameter with the value DESC reverses the order: the interface does not show its name. (Interface 4.9) */
export const radarList: AccountWork = (call, registry, account) => {
  const links = [...registry.records.radars.values()]
    .filter(({ organizationId }) => organizationId === account.organizationId)
    .map((radar) => radarLink(registry, radar))
  if (/=(DESC|desc)(&|$)/.test(call.query)) links.reverse()
  const { radars, world } = registry.scenario
  return { status: 200, body: links.slice(0, radars.limit ?? world.radars.page ?? links.length) }
}

const radarLink = (registry: SandboxInternals, radar: BookedRadar): RadarLink => ({
  id: radar.id + 100_000,
  radar: {
    id: radar.id,
    code: radar.code,
    name: radar.name,
    type: radar.type,
    createdAt: momentText(registry, radar.at, 'epoch') as unknown as number,
    active: radar.active,
    preProcessedAt: momentText(registry, radar.at, 'zoneless'),
    typeCustomer: 'CUSTOMER',
  },
  createdAt: momentText(registry, radar.at, 'epoch') as unknown as number,
})

/** Idempotent; a number with wrong check digits was never given by a court. (Interface 4.10) */
export const inactivate: Work = (call, registry) => {
  const { organizationId, numberProcess } = call.params as { organizationId: string; numberProcess: string }
  if (!/^\d+$/.test(organizationId) || numberProcess.trim() === '') return refusals.processParametersRequired
  return call.email === null ? refusals.emailRequired : inactivateFor(call, registry)
}

const inactivateFor = forAccount((call, registry, { organizationId }) => {
  const { numberProcess } = call.params as { numberProcess: string }
  if (!isProcessNumber(numberProcess)) return refusals.processMissing
  if (!registry.records.inactive.has(`${organizationId} ${numberProcess}`))
    registry.record({ type: 'inactivated', organizationId, process: numberProcess, at: registry.now() })
  const process = { numberProcess, organizationId, status: 'INACTIVE' }
  return { status: 200, body: { sucess: true, reason: null, total: 1, result: { updated: 1 }, process } }
})
