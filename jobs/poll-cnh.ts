import { later, ok } from '../src/domain/ending.ts'
import { lookupJob } from './tools.ts'

/** Reads a licence request until its data is there; a 404 means that this CPF has no licence. */
export const pollCnh = lookupJob({
  name: 'poll-cnh',
  kinds: ['cnh'],
  takes: ['waiting'],
  retries: 20,

  async each({ remote }, { registry, account, call }) {
    const { ready, data, status, createdAt } = await registry.cnh.read(remote!.id, account, call)
    return ready ? ok({ data }, { seen: status, asOf: createdAt }) : later({ seen: status })
  },
})
