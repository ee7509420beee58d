import { documentOf } from '../src/domain/lookup.ts'
import { accepted, giveUp, ok } from '../src/domain/outcome.ts'
import { lookupJob } from './tools.ts'

/**
 * Requests a driver's licence. Companies have none, so nothing is sent for a CNPJ.
 *
 * It costs money, as an analysis does: it is sent once, and a lost answer is reconciled.
 */
export const requestCnh = lookupJob({
  name: 'request-cnh',
  kinds: ['cnh'],
  takes: ['queued'],
  retries: 5,

  async each(lookup, { registry, account, call }) {
    if (lookup.documentType !== 'CPF') return giveUp('invalid_document', ['only_cpf'])
    const record = await registry.cnh.request(documentOf(lookup), account, call)
    const remote = { id: record.requestId, key: null }
    if (!record.ready) return accepted(remote, record.status)
    return ok({ data: record.data, fields: record.fields }, { remote, seen: record.status, asOf: record.createdAt })
  },
})
