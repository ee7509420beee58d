import { z } from 'zod'
import type { Document } from '../../domain/document.ts'
import type { Account } from '../../domain/lookup.ts'
import { parseMoment, parseSpan } from '../../domain/moment.ts'
import type { Call, CallOptions } from '../call.ts'
import { nullIfNotFound } from '../errors.ts'
import { fieldSet, freeForm, identifier, objectFrom, restOf, statusFrom } from '../loose.ts'

type CnhRecord = ReturnType<typeof recordFrom>

/** A request that the registry accepted, and the number of its CPF. */
type CnhRequest = { id: string; document: string }

const record = z.looseObject({
  requestId: identifier,
  data: z.union([freeForm, z.null(), z.string(), z.number(), z.boolean()]).optional(),
})

export const cnh = (call: Call) => ({
  /** Asks for the driver's licence of a CPF; the registry queues it, see `read`. Spends plan. (Interface 4.1) */
  async request(document: Document, account: Account, options?: CallOptions): Promise<CnhRecord> {
    const body = { organizationId: account.organizationId, document: document.number }
    const reply = await call(
      { method: 'POST', path: '/v1/cnh', body, reply: record, about: document.number, kind: 'cnh', spends: true },
      options,
    )
    return recordFrom(reply)
  },

  /**
   * One request of ours by its identifier; null where the registry does not show it. It accepted the request, so null says
   * nothing about the CPF. (Interface 4.2)
   */
  async read(request: CnhRequest, account: Account, options?: CallOptions): Promise<CnhRecord | null> {
    const path = '/v1/cnh/organizations/{organizationId}/request/{requestId}'
    const at = { organizationId: account.organizationId, requestId: request.id }
    const fits = ({ requestId }: { requestId: string }) => requestId === request.id
    const about = request.document
    return call({ method: 'GET', path, at, reply: record, about, fits, kind: 'cnh', on404: 'not_yet' }, options).then(
      recordFrom,
      nullIfNotFound,
    )
  },

  /** The newest record of a CPF, or null where the registry has none. (Interface 4.3) */
  async latest(document: Document, account: Account, options?: CallOptions): Promise<CnhRecord | null> {
    const path = '/v1/cnh/organizations/{organizationId}/document/{document}'
    const at = { organizationId: account.organizationId, document: document.number }
    const about = document.number
    return call({ method: 'GET', path, at, reply: record, about, kind: 'cnh', on404: 'nothing' }, options).then(
      recordFrom,
      nullIfNotFound,
    )
  },
})

const recordFrom = (reply: z.infer<typeof record>) => {
  const data = objectFrom(reply.data)
  return {
    requestId: reply.requestId,
    /** As it was sent; the interface shows no values, so nothing depends on it. */
    status: statusFrom(reply.status),
    data,
    createdAt: parseMoment(reply.createdAt),
    /** The span of time that the date can prove: it may be a full day. */
    dated: parseSpan(reply.createdAt),
    /** The licence data has arrived. */
    ready: data !== null,
    fields: { rest: restOf(reply, recordFields) },
  }
}

const recordFields = fieldSet('requestId organizationId document status data createdAt')
