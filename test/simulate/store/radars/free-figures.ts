import type { FreeFigure, FreeFigures } from '../../../../src/domain/sweep.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import type { ListedTotals } from '../../../../src/store/radars/free-figures.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { freshFrom } from '../rules.ts'
import type { RadarSnapshotRecord } from '../tables.ts'
import { isUncompared, snapshotsOf } from './snapshots.ts'
import { organizationOf } from './sweep-organizations.ts'

/** As `greatest` of PostgreSQL: a null is no candidate. */
const greatest = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.max(one, other)

export const recordTotals = (sql: Sql, sweepId: bigint, organizationId: bigint, listed: ListedTotals[]) =>
  on(sql, (database) => {
    for (const { document, totalRisk, totalAnalyzed } of listed) {
      const s = database.tables.radarSnapshots.get(`${sweepId}/${organizationId}/${document}`)
      if (!s) continue
      const totals = {
        totalRisk: greatest(s.totalRisk, totalRisk),
        totalAnalyzed: greatest(s.totalAnalyzed, totalAnalyzed),
      }
      database.set(s, totals)
    }
    return []
  })

export const forgetTotals = (sql: Sql, sweepId: bigint, organizationId: bigint) =>
  on(sql, (database) => {
    for (const s of snapshotsOf(database, sweepId, organizationId))
      database.set(s, { totalRisk: null, totalAnalyzed: null })
    return []
  })

export const endTotals = (sql: Sql, sweepId: bigint, organizationId: bigint, how: 'read' | 'failed') =>
  on(sql, (database) => {
    database.set(organizationOf(database, sweepId, organizationId), { totals: how })
    return []
  })

type Compared = { document: string; now: FreeFigures; before: FreeFigures }
type Night = { id: bigint; startedAt: Date }

export const uncomparedDocuments = async (
  sql: Sql,
  night: Night,
  organizationId: bigint,
  limit: number,
): Promise<Compared[]> =>
  on(sql, (database) =>
    snapshotsOf(database, night.id, organizationId)
      .filter((s) => isUncompared(database, s))
      .slice(0, limit)
      .map((s) => {
        const { answers } = database.tables
        const processes = s.processesLookupId === null ? null : (answers.get(s.processesLookupId)?.total ?? null)
        const now = { processes, totalRisk: s.totalRisk, totalAnalyzed: s.totalAnalyzed }
        return { document: s.document, now, before: figuresBefore(database, night, s) }
      }),
  )

/** Those of the first night that began after its analysis was ready, and of later ones where that one lacks some. */
const figuresBefore = ({ tables }: ModelDatabase, night: Night, s: RadarSnapshotRecord): FreeFigures => {
  const a = s.analysisLookupId === null ? undefined : tables.lookups.get(s.analysisLookupId)
  const isOld = a?.state === 'ok' && freshFrom(a)! < night.startedAt
  const nights = [...tables.sweeps.values()].filter(({ id, name }) => name === 'radars' && id < night.id)
  const first = isOld ? nights.find(({ startedAt }) => startedAt > a.finishedAt!) : undefined
  if (!first) return { processes: null, totalRisk: null, totalAnalyzed: null }
  const known = nights
    .filter(({ id }) => id >= first.id)
    .flatMap(({ id }) => tables.radarSnapshots.get(`${id}/${s.organizationId}/${s.document}`) ?? [])
  const firstOf = (name: FreeFigure): number | null => known.find((h) => h[name] !== null)?.[name] ?? null
  return { processes: firstOf('processes'), totalRisk: firstOf('totalRisk'), totalAnalyzed: firstOf('totalAnalyzed') }
}

type Moved = { document: string; moved: FreeFigure | null; analysis: bigint | null }

export const recordMoved = (sql: Sql, sweepId: bigint, organizationId: bigint, compared: Moved[]) =>
  on(sql, (database) => {
    for (const { document, moved, analysis } of compared) {
      const s = database.tables.radarSnapshots.get(`${sweepId}/${organizationId}/${document}`)
      if (s) database.set(s, { moved: moved ?? 'none', analysisLookupId: analysis ?? s.analysisLookupId })
    }
    return []
  })

export const countMoved = (sql: Sql, sweepId: bigint) =>
  on(sql, ({ tables }) => {
    const moved = [...tables.radarSnapshots.values()].flatMap((s) =>
      s.sweepId === sweepId && s.moved !== null && s.moved !== 'none' ? [s.moved] : [],
    )
    return [...new Set(moved)].sort().map((each) => ({
      moved: each,
      documents: moved.filter((other) => other === each).length,
    }))
  })

export const lastFigures = async (): Promise<never> => {
  throw new Error('Nobody of a history previews a sweep')
}
