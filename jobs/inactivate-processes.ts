import { ok } from '../src/domain/outcome.ts'
import { lookupJob } from './tools.ts'

/** Stops the monitoring of one process. The registry accepts the same request any number of times. */
export const inactivateProcesses = lookupJob({
  name: 'inactivate-processes',
  kinds: ['inactivation'],
  takes: ['queued', 'waiting'],
  retries: 5,

  async each({ question }, { registry, account, call }) {
    const { status, fields } = await registry.processes.inactivate(question, account, call)
    return ok({ data: { status }, fields }, { seen: status })
  },
})
