import type { Document } from '../../domain/document.ts'
import type { Account } from '../../domain/lookup.ts'
import type { Call, CallOptions } from '../call.ts'
import { freeForm, keptText, objectFrom, plainText, statusFrom } from '../loose.ts'

/** `note` is what the registry says about the wait. */
type Indicators = { ready: false; seen: string; note: string | null } | { ready: true; data: object }

/** The interface does not show where `planId` goes, so it is left out unless the settings say where. */
export type ScrPlanId = { in: 'header' | 'query'; name: string }

export const scr = (call: Call, settings: { planId?: ScrPlanId | null } = {}) => ({
  /** The credit-register indicators of a document; PROCESSING until they are there. (Interface 4.11) */
  async indicators(document: Document, account: Account, options?: CallOptions): Promise<Indicators> {
    const reply = await call(
      {
        method: 'GET',
        path: '/v1/scr/indicators/{document}',
        at: { document: document.number },
        ...planIdAt(settings.planId, account),
        reply: freeForm,
        about: document.number,
        kind: 'scr',
        shapeOnly: true,
      },
      options,
    )
    const waiting = statusOf(reply)
    if (waiting === null) return { ready: true, data: reply }
    const note = keptText(objectFrom(reply)?.message, 200)
    return { ready: false, seen: waiting, note: note && plainText(note) }
  },
})

const planIdAt = (place: ScrPlanId | null | undefined, account: Account) => {
  if (!place) return {}
  const values = { [place.name]: String(account.planId) }
  return place.in === 'header' ? { headers: values } : { query: values }
}

/** A body of only status and message is no answer yet, whatever its status is; all others are indicators. */
const statusOf = (reply: object): string | null => {
  const body = objectFrom(reply)
  if (!body || typeof body.status !== 'string') return null
  const isBare = Object.keys(body).every((key) => key === 'status' || key === 'message')
  return isBare || body.status === 'PROCESSING' ? statusFrom(body.status) : null
}
