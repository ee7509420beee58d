import { z } from 'zod'
import type { Document } from '../../domain/document.ts'
import type { Account } from '../../domain/lookup.ts'
import type { AnswerFields } from '../../domain/outcome.ts'
import type { Call, CallOptions } from '../call.ts'
import {
  fieldSet,
  flagFrom,
  integerFrom,
  joinedRest,
  keptText,
  objectFrom,
  restOf,
  statusFrom,
  textFrom,
} from '../loose.ts'

type Inactivated = { status: string; fields: Partial<AnswerFields> }
type ProcessCount = { total: number; seen: string; fields: Partial<AnswerFields> }

const inactivated = z.looseObject({}).refine(isSuccess, { path: ['sucess'] })

const total = z.preprocess(integerFrom, z.int().nonnegative())
const counted = z.looseObject({ total }).refine(isSuccess, { path: ['success'] })

export const processes = (call: Call) => ({
  /** How many processes a document has; a POST that changes nothing and may be repeated. (Interface 4.7) */
  async count(document: Document, account: Account, options?: CallOptions): Promise<ProcessCount> {
    const { holderId, organizationId } = account
    const path = '/v1/holder/{holderId}/organization/{organizationId}/partner/process'
    const body = { documentType: document.type, documentNumber: document.number }
    const at = { holderId, organizationId }
    const about = document.number
    const reply = await call({ method: 'POST', path, at, body, reply: counted, about, kind: 'processes' }, options)
    return { total: reply.total, seen: statusFrom(reply.reason), fields: fieldsOf(reply) }
  },

  /** Stops the monitoring of one process; the same PUT may be repeated. (Interface 4.10) */
  async inactivate(number: string, account: Account, options?: CallOptions): Promise<Inactivated> {
    const path = '/v1/organization/{organizationId}/process/{numberProcess}/INACTIVE'
    const at = { organizationId: account.organizationId, numberProcess: number }
    const reply = await call({ method: 'PUT', path, at, reply: inactivated, kind: 'inactivation' }, options)
    const status = textFrom(objectFrom(reply.process)?.status) ?? textFrom(objectFrom(reply.result)?.status)
    return { status: status === null ? 'INACTIVE' : statusFrom(status), fields: { rest: restOf(reply, successFields) } }
  },
})

/** The interface spells it both ways; only `true` is a success. */
function isSuccess(body: Record<string, unknown>): boolean {
  return flagFrom(body.success ?? body.sucess) === true
}

/** The items beside the count. The name and the plan of the first have a place of their own. */
const fieldsOf = (reply: Record<string, unknown>): Partial<AnswerFields> => {
  const items = (Array.isArray(reply.result) ? reply.result : []).map(objectFrom).filter((item) => item !== null)
  const rests = items
    .map((item, at) => restOf(item, at === 0 ? itemFields : documentFields))
    .filter((rest) => rest !== null)
  return {
    name: keptText(items[0]?.documentInfo, 300),
    plan: keptText(items[0]?.typePlan, 100),
    rest: joinedRest(restOf(reply, countFields), restOf({ items: rests.slice(0, 20) }, noFields)),
  }
}

const successFields = fieldSet('success sucess')
const countFields = fieldSet('success sucess reason total result')
const documentFields = fieldSet('documentType documentNumber')
const itemFields = fieldSet('documentType documentNumber documentInfo typePlan')
const noFields = fieldSet('')
