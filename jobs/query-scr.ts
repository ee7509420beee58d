import { documentOf } from '../src/domain/lookup.ts'
import { later, ok } from '../src/domain/outcome.ts'
import { lookupJob } from './tools.ts'

/** Reads the credit-register indicators until they are no longer being processed. The call is free. */
export const queryScr = lookupJob({
  name: 'query-scr',
  kinds: ['scr'],
  takes: ['queued', 'waiting'],
  retries: 5,

  async each(lookup, { registry, account, call }) {
    const reply = await registry.scr.indicators(documentOf(lookup), account, call)
    return reply.ready ? ok({ data: reply.data }) : later(reply)
  },
})
