import { weigh } from '../../../../src/domain/risk-change.ts'
import type { Message } from '../../../../src/messages/message.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import type { ListedRadar } from '../../../../src/store/radars/radars.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { byText } from '../rules.ts'
import type { RadarRecord } from '../tables.ts'
import { insertChange } from './rules-met.ts'

/** The radars of an organization that its last list showed. */
export const mirroredRadars = ({ tables }: ModelDatabase, organizationId: number): RadarRecord[] =>
  [...tables.radars.values()].filter((r) => r.organizationId === organizationId && r.removedAt === null)

export const compareSize = async (
  sql: Sql,
  organizationId: number,
  documents: string[],
): Promise<{ mirrored: number; missing: number }> =>
  on(sql, (database) => {
    const mirrored = mirroredRadars(database, organizationId)
    return { mirrored: mirrored.length, missing: mirrored.filter((r) => !documents.includes(r.document)).length }
  })

type Difference = { field: string; verdict: 'added' | 'removed' | 'deactivated' | 'reactivated' | 'renamed' }

const differencesOf = (known: RadarRecord | undefined, listed: ListedRadar | undefined): Difference[] => {
  if (!known) return [{ field: 'radar', verdict: 'added' }]
  if (!listed) return [{ field: 'radar', verdict: 'removed' }]
  return [
    ...(known.active && !listed.active ? [{ field: 'radar', verdict: 'deactivated' } as const] : []),
    ...(listed.active && !known.active ? [{ field: 'radar', verdict: 'reactivated' } as const] : []),
    ...(known.name !== listed.name ? [{ field: 'name', verdict: 'renamed' } as const] : []),
  ]
}

export const applyRadarList = async (
  sql: Sql,
  sweepId: bigint,
  organizationId: number,
  radars: ListedRadar[],
  now: Date,
): Promise<void> =>
  on(sql, (database) => {
    const all = [...database.tables.radars.values()]
    const isFirst = all.every((r) => r.organizationId !== organizationId)
    const known = new Map(mirroredRadars(database, organizationId).map((r) => [r.document, r]))
    const listed = new Map(radars.map((r) => [r.document, r]))
    for (const document of new Set([...known.keys(), ...listed.keys()])) {
      if (isFirst) break
      const [one, other] = [known.get(document), listed.get(document)]
      for (const { field, verdict } of differencesOf(one, other)) {
        const names = field === 'name' ? { before: one!.name, after: other!.name } : { before: null, after: null }
        const change = { sweepId, organizationId, document, field, verdict, ...names, weight: weigh(verdict) }
        insertChange(database, change)
      }
    }
    for (const radar of radars.toSorted((a, b) => byText(a.document, b.document)))
      database.put(database.tables.radars, `${organizationId}/${radar.document}`, {
        ...radar,
        organizationId,
        removedAt: null,
      })
    for (const [document, radar] of known) if (!listed.has(document)) database.set(radar, { removedAt: now })
    database.drop(database.tables.suspicious, organizationId)
  })

type Kept = { organizationId: number; sweepId: bigint; message: Message; radars: ListedRadar[]; seenAt: Date }

export const keepSuspicious = (sql: Sql, { organizationId, sweepId, message, radars }: Kept) =>
  on(sql, (database) => {
    database.put(database.tables.suspicious, organizationId, { sweepId, message, radars })
    return []
  })

export const takeSuspicious = async (): Promise<never> => {
  throw new Error('Nobody of a history accepts a list that was rejected')
}
