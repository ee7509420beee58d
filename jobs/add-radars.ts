import { accepted, later, ok, putOff } from '../src/domain/outcome.ts'
import type { OwnStatus } from '../src/messages/en/messages.ts'
import type { Message } from '../src/messages/message.ts'
import { suspectRadarList } from '../src/purchases/evidence.ts'
import type { Radar, RadarList } from '../src/registry/endpoints/radars.ts'
import { lookupJob } from './tools.ts'

/** The list of radars. `suspicion` says why a rejected list does not prove that a radar is missing. */
type Listed = RadarList & { suspicion: Message | null }

/**
 * Monitors a document: reads the list of radars and adds what is missing.
 *
 * One list serves all look-ups of the chunk. A radar counts only once the list shows it, so a radar that was just added waits for
 * the next list. If the list is cut short nothing is added: a document that it does not show may be monitored.
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
    if (radar)
      return ok({ data: found(radar), fields: fieldsOf(radar) }, { remote: null, seen: 'listed' satisfies OwnStatus })
    if (lookup.state === 'waiting') return later({ seen: 'unlisted' satisfies OwnStatus })
    if (list.suspicion) return putOff(list.suspicion)
    const name = lookup.label ?? lookup.question
    const added = { name, code: lookup.question, type: lookup.documentType ?? 'CPF' }
    const reply = await registry.radars.add(added, account, call)
    const seen = 'added' satisfies OwnStatus
    return accepted(null, reply.type === added.type ? seen : `${seen}/${reply.type}`, { name: reply.name })
  },
})

const found = ({ id, active }: Radar) => ({ radarId: id, active })

const fieldsOf = ({ linkId, name, type, customerType, createdAt, processedAt, listed }: Radar) => ({
  name: name || null,
  rest: { linkId, type, customerType, addedAt: createdAt, processedAt, ...listed },
})
