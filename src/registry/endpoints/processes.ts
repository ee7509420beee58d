import { z } from 'zod'
import type { Document } from '../../domain/document.ts'
import type { Account } from '../../domain/lookup.ts'
import type { Call, CallOptions } from '../call.ts'
import { flagFrom, integerFrom, objectFrom, statusFrom, textFrom } from '../loose.ts'

type ProcessCount = { total: number; seen: string }

const count = z.preprocess(integerFrom, z.int().nonnegative())

const inactivated = z.looseObject({}).refine(isSuccess, { path: ['sucess'] })

const counted = z.looseObject({ total: count }).refine(isSuccess, { path: ['success'] })

export const processes = (call: Call) => ({
  /** How many processes a document has; a POST that changes nothing and may be repeated. (Interface 4.7) */
  async count(document: Document, account: Account, options?: CallOptions): Promise<ProcessCount> {
    const { holderId, organizationId } = account
    const path = '/v1/holder/{holderId}/organization/{organizationId}/partner/process'
    const body = { documentType: document.type, documentNumber: document.number }
    const reply = await call(
      {
        method: 'POST',
        path,
        at: { holderId, organizationId },
        body,
        reply: counted,
        about: document.number,
        kind: 'processes',
      },
      options,
    )
    return { total: reply.total, seen: statusFrom(reply.reason) }
  },

  /** Stops the monitoring of one process; the same PUT may be repeated. (Interface 4.10) */
  async inactivate(number: string, account: Account, options?: CallOptions): Promise<{ status: string }> {
    const path = '/v1/organization/{organizationId}/process/{numberProcess}/INACTIVE'
    const at = { organizationId: account.organizationId, numberProcess: number }
    const reply = await call({ method: 'PUT', path, at, reply: inactivated, kind: 'inactivation' }, options)
    const status = textFrom(objectFrom(reply.process)?.status) ?? textFrom(objectFrom(reply.result)?.status)
    return { status: status === null ? 'INACTIVE' : statusFrom(status) }
  },
})

/** The interface spells it both ways; only `true` is a success. */
function isSuccess(body: Record<string, unknown>): boolean {
  return flagFrom(body.success ?? body.sucess) === true
}
