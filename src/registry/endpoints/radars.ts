import { z } from 'zod'
import type { Account } from '../../domain/lookup.ts'
import { parseMoment } from '../../domain/moment.ts'
import type { Call, CallOptions } from '../call.ts'
import {
  documentFrom,
  fieldSet,
  flagFrom,
  identifier,
  joinedRest,
  keptText,
  objectFrom,
  restOf,
  statusFrom,
  textFrom,
} from '../loose.ts'

type NewRadar = { name: string; code: string; type: string }

export type Radar = NonNullable<ReturnType<typeof radarFrom>>

export type RadarList = {
  /** The reply was an array and every item was readable; anything else proves no radar absent. */
  complete: boolean
  radars: Radar[]
}

/** The query parameter that takes ASC, DESC, asc or desc. The interface does not show it, so it is off by default. */
export type RadarSort = { parameter: string; order: 'ASC' | 'DESC' | 'asc' | 'desc' }

/** Error bodies have a textual `code` too; a document has digits. */
const added = z.looseObject({ code: identifier.refine((code) => /\d/.test(code)) })

/** The interface shows no form of an empty result beyond the array, so null and an object pass, as an incomplete list. */
const listed = z.union([z.array(z.unknown()), z.looseObject({}), z.null()])

export const radars = (call: Call, settings: { sort?: RadarSort | null } = {}) => ({
  /** Starts to monitor a document; each call adds a radar. (Interface 4.8) */
  async add(radar: NewRadar, account: Account, options?: CallOptions): Promise<NewRadar> {
    const path = '/v1/organization/{organizationId}/radar'
    const at = { organizationId: account.organizationId }
    const { name, code, type } = radar
    const body = { name, code, type }
    const reply = await call(
      { method: 'POST', path, at, body, reply: added, about: code, kind: 'radar', spends: true, shapeOnly: true },
      options,
    )
    const kind = keptText(reply.type) ? statusFrom(reply.type) : type
    return { name: keptText(reply.name, 300) ?? name, code: reply.code, type: kind }
  },

  /** Every radar of an organization. (Interface 4.9) */
  async list(account: Account, options?: CallOptions): Promise<RadarList> {
    const path = '/v2/organizations/{organizationId}/radars'
    const at = { organizationId: account.organizationId }
    const query = settings.sort ? { [settings.sort.parameter]: settings.sort.order } : undefined
    const reply = await call(
      { method: 'GET', path, at, query, reply: listed, list: true, kind: 'radar', shapeOnly: true },
      options,
    )
    if (!Array.isArray(reply)) return { complete: false, radars: [] }
    const found = reply.map(radarFrom).filter((radar) => radar !== null)
    return { complete: found.length === reply.length, radars: found }
  },
})

const radarFrom = (value: unknown) => {
  const link = objectFrom(value)
  const radar = objectFrom(link?.radar)
  const linkId = textFrom(link?.id)
  const id = textFrom(radar?.id)
  const document = documentFrom(radar?.code, radar?.type)
  if (!link || !radar || !linkId || !id || !document) return null
  return {
    linkId,
    id,
    document,
    name: textFrom(radar.name) ?? '',
    type: textFrom(radar.type),
    active: flagFrom(radar.active),
    createdAt: parseMoment(link.createdAt) ?? parseMoment(radar.createdAt),
    customerType: textFrom(radar.typeCustomer),
    /** When the registry itself last looked at the document. */
    processedAt: parseMoment(radar.preProcessedAt),
    /** The other fields, as they were sent. */
    listed: joinedRest(restOf(link, linkFields), restOf(radar, radarFields)),
  }
}

const linkFields = fieldSet('id radar createdAt')

/** The date of the radar itself is kept beside that of its link, which is its own. */
const radarFields = fieldSet('id code name active preProcessedAt typeCustomer')
