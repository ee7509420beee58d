import { accepted, later, ok } from '../src/domain/ending.ts'
import type { Radar, RadarList } from '../src/registry/endpoints/radars.ts'
import { lookupJob } from './tools.ts'

/**
 * Monitors a document: looks into the list of radars, and adds what is missing.
 *
 * One list serves the whole chunk. A radar counts only once the list shows it, so what was just
 * added waits for the next list.
 */
export const addRadars = lookupJob<RadarList>({
  name: 'add-radars',
  kinds: ['radar'],
  takes: ['queued', 'waiting'],
  retries: 5,

  prepare: (_, { registry, account, call }) => registry.radars.list(account, call),

  async each(lookup, { registry, account, call }, list) {
    const radar = list.radars.find(({ document }) => document === lookup.question)
    if (radar) return ok({ data: found(radar) }, { remote: null, seen: 'listed' })
    if (lookup.state === 'waiting') return later({ seen: 'not listed yet' })
    const name = lookup.label ?? lookup.question
    const added = { name, code: lookup.question, type: lookup.documentType ?? 'CPF' }
    await registry.radars.add(added, account, call)
    return accepted(null, 'added')
  },
})

const found = ({ id, active }: Radar) => ({ radarId: id, active })
