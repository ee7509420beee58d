import { documentOf } from '../src/domain/lookup.ts'
import { giveUp, later, ok } from '../src/domain/outcome.ts'
import { lookupJob } from './tools.ts'

/**
 * Reads a licence request until its data is there.
 *
 * The registry accepted the request, so a 404 means that it does not show the request yet. When the deadline has come,
 * the latest record of the CPF is read: if the registry has none, the CPF has no licence.
 */
export const pollCnh = lookupJob({
  name: 'poll-cnh',
  kinds: ['cnh'],
  takes: ['waiting'],
  retries: 20,

  async each(lookup, { registry, account, call, now }) {
    const { remote, question, deadlineAt } = lookup
    const record = await registry.cnh.read({ id: remote!.id, document: question }, account, call)
    if (record?.ready)
      return ok({ data: record.data, fields: record.fields }, { seen: record.status, asOf: record.createdAt })
    if (record || now < deadlineAt) return later({ seen: record?.status ?? null })
    const latest = await registry.cnh.latest(documentOf(lookup), account, call)
    return latest ? later({ seen: latest.status }) : giveUp('not_found', ['there_is_none'])
  },
})
