import { documentOf } from '../src/domain/lookup.ts'
import { ok } from '../src/domain/outcome.ts'
import { lookupJob } from './tools.ts'

/** Counts the processes of a document. The call is free, so it is repeated when the answer is lost. */
export const countProcesses = lookupJob({
  name: 'count-processes',
  kinds: ['processes'],
  takes: ['queued', 'waiting'],
  retries: 5,

  async each(lookup, { registry, account, call }) {
    const { total, seen, fields } = await registry.processes.count(documentOf(lookup), account, call)
    return ok({ total, fields }, { seen })
  },
})
