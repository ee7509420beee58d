import { z } from 'zod'
import type { Document } from '../../domain/document.ts'
import type { Account } from '../../domain/lookup.ts'
import { parseMoment, parseSpan, type Span } from '../../domain/moment.ts'
import type { Call, CallOptions } from '../call.ts'
import { NotFound } from '../errors.ts'
import { freeForm, identifier, objectFrom, wordFrom } from '../loose.ts'

type CnhRecord = {
  requestId: string
  /** As it was sent; the interface shows no values, so it decides nothing. */
  status: string
  data: object | null
  createdAt: Date | null
  /** What that date can prove: it may be a whole day. */
  dated: Span | null
  /** The licence data has arrived. */
  ready: boolean
}

const record = z.looseObject({
  requestId: identifier,
  data: z.union([freeForm, z.null(), z.string(), z.number(), z.boolean()]).optional(),
})

export const cnh = (call: Call) => ({
  /** Asks for the driver's licence of a CPF; it is queued there, see `read`. Spends plan. (Interface 4.1) */
  async request(document: Document, account: Account, options?: CallOptions): Promise<CnhRecord> {
    const body = { organizationId: account.organizationId, document: document.number }
    const reply = await call(
      { method: 'POST', path: '/v1/cnh', body, reply: record, kind: 'cnh', spends: true },
      options,
    )
    return recordFrom(reply)
  },

  /** One request by its identifier. (Interface 4.2) */
  async read(requestId: string, account: Account, options?: CallOptions): Promise<CnhRecord> {
    const path = '/v1/cnh/organizations/{organizationId}/request/{requestId}'
    const at = { organizationId: account.organizationId, requestId }
    const reply = await call({ method: 'GET', path, at, reply: record, kind: 'cnh', absentOn404: true }, options)
    return recordFrom(reply)
  },

  /** The newest record of a CPF, or null where the registry has none. (Interface 4.3) */
  async latest(document: Document, account: Account, options?: CallOptions): Promise<CnhRecord | null> {
    const path = '/v1/cnh/organizations/{organizationId}/document/{document}'
    const at = { organizationId: account.organizationId, document: document.number }
    try {
      return recordFrom(await call({ method: 'GET', path, at, reply: record, kind: 'cnh', absentOn404: true }, options))
    } catch (failure) {
      if (failure instanceof NotFound) return null
      throw failure
    }
  },
})

const recordFrom = (reply: z.infer<typeof record>): CnhRecord => {
  const data = objectFrom(reply.data)
  return {
    requestId: reply.requestId,
    status: wordFrom(reply.status),
    data,
    createdAt: parseMoment(reply.createdAt),
    dated: parseSpan(reply.createdAt),
    ready: data !== null,
  }
}
