import type { Message } from '../src/domain/messages/message.ts'
import type { OwnStatus } from '../src/domain/messages/value-labels.ts'
import { accepted, later, ok, putOff } from '../src/domain/outcome.ts'
import { suspectRadarList } from '../src/purchases/evidence.ts'
import type { Radar, RadarList } from '../src/registry/endpoints/radars.ts'
import { lookupJob } from './tools.ts'

/** The list of radars, and why it proves nothing to be missing where it is not believed. */
type Listed = RadarList & { suspicion: Message | null }

/**
 * Monitors a document: looks into the list of radars, and adds what is missing.
 *
 * One list serves the whole chunk. A radar counts only once the list shows it, so what was just
 * added waits for the next list. A list that is cut short adds nothing: who is missing from it may be monitored.
 */
export const addRadars = lookupJob<Listed>({
  name: 'add-radars',
  kinds: ['radar'],
  takes: ['queued', 'waiting'],
  retries: 5,

  async prepare(_, { sql, registry, account, call }) {
    const list = await registry.radars.list(account, call)
    return { ...list, suspicion: await suspectRadarList(sql, account, list) }
  },

  async each(lookup, { registry, account, call }, list) {
    const radar = list.radars.find(({ document }) => document === lookup.question)
    if (radar) return ok({ data: found(radar) }, { remote: null, seen: 'listed' satisfies OwnStatus })
    if (lookup.state === 'waiting') return later({ seen: 'unlisted' satisfies OwnStatus })
    if (list.suspicion) return putOff(list.suspicion)
    const name = lookup.label ?? lookup.question
    const added = { name, code: lookup.question, type: lookup.documentType ?? 'CPF' }
    await registry.radars.add(added, account, call)
    return accepted(null, 'added' satisfies OwnStatus)
  },
})

const found = ({ id, active }: Radar) => ({ radarId: id, active })
