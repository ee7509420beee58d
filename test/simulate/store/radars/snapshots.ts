import { type Classification, classifications, isSearched } from '../../../../src/domain/classifications.ts'
import type { Kind } from '../../../../src/domain/kind.ts'
import type { RiskFigures } from '../../../../src/domain/risk-change.ts'
import type { Message } from '../../../../src/messages/message.ts'
import type { Sql } from '../../../../src/store/connect.ts'
import type { AskAgain } from '../../../../src/store/radars/snapshots.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { byText, holdStops, laneKey } from '../rules.ts'
import type { LookupRecord, RadarSnapshotRecord } from '../tables.ts'
import { mirroredRadars } from './radars.ts'

/** The snapshots of a sweep in an organization, in the order of their documents. */
export const snapshotsOf = (
  { tables }: ModelDatabase,
  sweepId: bigint,
  organizationId: bigint | number,
): RadarSnapshotRecord[] =>
  [...tables.radarSnapshots.values()]
    .filter((s) => s.sweepId === sweepId && s.organizationId === Number(organizationId))
    .sort((a, b) => byText(a.document, b.document))

const lookupOf = ({ tables }: ModelDatabase, id: bigint | null): LookupRecord | null =>
  id === null ? null : (tables.lookups.get(id) ?? null)

const blank = {
  tries: 0,
  processesLookupId: null,
  analysisLookupId: null,
  processes: null,
  counts: null,
  cents: null,
  totalRisk: null,
  totalAnalyzed: null,
  moved: null,
  verifiedAt: null,
  message: null,
}

export const planSnapshots = (sql: Sql, sweepId: bigint, organizationId: number) =>
  on(sql, (database) => {
    const { radarSnapshots } = database.tables
    for (const { document, active } of mirroredRadars(database, organizationId)) {
      const key = `${sweepId}/${organizationId}/${document}`
      if (!active || radarSnapshots.has(key)) continue
      database.put(radarSnapshots, key, { ...blank, sweepId, organizationId, document })
    }
    return []
  })

const again = ['failed', 'timed_out', 'plan_blocked', 'denied', 'cancelled']
const isUnanswered = (l: LookupRecord | null): boolean => l !== null && again.includes(l.state)

/** As `greatest` of PostgreSQL: a null is no candidate. */
const greatest = (dates: (Date | null | undefined)[]): Date | null =>
  dates.reduce<Date | null>((most, date) => (date && (!most || date > most) ? date : most), null)

export const documentsToAsk = async (
  sql: Sql,
  sweepId: bigint,
  organizationId: bigint,
  limit: number,
  asking?: AskAgain,
): Promise<string[]> =>
  on(sql, (database) =>
    snapshotsOf(database, sweepId, organizationId)
      .filter((s) => (asking ? mayAskAgain(database, s, asking) : s.tries === 0))
      .slice(0, limit)
      .map(({ document }) => document),
  )

const mayAskAgain = (
  database: ModelDatabase,
  { tries, processesLookupId, analysisLookupId }: RadarSnapshotRecord,
  { mostTries, endedBefore }: AskAgain,
): boolean => {
  const lookups = [lookupOf(database, processesLookupId), lookupOf(database, analysisLookupId)]
  const last = greatest(lookups.map((l) => (isUnanswered(l) ? l!.finishedAt : null)))
  return tries < mostTries && last !== null && last <= endedBefore
}

type AskedAbout = { document: string; processes: bigint | null; analysis: bigint | null }

export const recordAsked = (sql: Sql, sweepId: bigint, organizationId: bigint, asked: AskedAbout[]) =>
  on(sql, (database) => {
    for (const { document, processes, analysis } of asked) {
      const s = database.tables.radarSnapshots.get(`${sweepId}/${organizationId}/${document}`)
      if (s) database.set(s, { processesLookupId: processes, analysisLookupId: analysis, tries: s.tries + 1 })
    }
    return []
  })

export const sweepProgress = async (
  sql: Sql,
  sweepId: bigint,
  organizationIds: bigint[],
  { mostTries, compares }: { mostTries: number; compares: boolean },
): Promise<{ open: number; unanswered: number; lastEndedAt: Date | null }> =>
  on(sql, (database) => {
    const all = organizationIds.flatMap((id) => snapshotsOf(database, sweepId, id))
    const withLookups = all.map((s) => {
      const lookups = [lookupOf(database, s.processesLookupId), lookupOf(database, s.analysisLookupId)]
      return { s, lookups: lookups.filter((l) => l !== null) }
    })
    const isOpen = ({ s, lookups }: (typeof withLookups)[number]): boolean =>
      lookups.some(({ finishedAt }) => finishedAt === null) || (compares && isUncompared(database, s))
    const unanswered = withLookups.filter(({ s, lookups }) => s.tries < mostTries && lookups.some(isUnanswered))
    const ended = unanswered.flatMap(({ lookups }) => lookups.map(({ finishedAt }) => finishedAt))
    return { open: withLookups.filter(isOpen).length, unanswered: unanswered.length, lastEndedAt: greatest(ended) }
  })

export const isUncompared = (database: ModelDatabase, s: RadarSnapshotRecord): boolean =>
  s.moved === null &&
  s.tries > 0 &&
  (s.processesLookupId === null || lookupOf(database, s.processesLookupId)?.state === 'ok')

export const takeSnapshots = (
  sql: Sql,
  sweepId: bigint,
  { organizationIds, now }: { organizationIds: number[]; now: Date },
) =>
  on(sql, (database) => {
    for (const s of database.tables.radarSnapshots.values()) {
      if (s.sweepId !== sweepId) continue
      const message = whyUnverified(database, s, organizationIds)
      database.set(s, { ...figuresOf(database, s), verifiedAt: message === null ? now : null, message })
    }
    return []
  })

const whyUnverified = (database: ModelDatabase, s: RadarSnapshotRecord, organizationIds: number[]): Message | null => {
  const p = lookupOf(database, s.processesLookupId)
  const a = lookupOf(database, s.analysisLookupId)
  const lacksSome = s.tries === 0 || (p !== null && p.state !== 'ok') || (a !== null && a.state !== 'ok')
  if (lacksSome && !organizationIds.includes(s.organizationId)) return ['organization_gone', s.organizationId]
  if (s.tries === 0) return ['never_asked']
  if (s.processesLookupId !== null && p?.state !== 'ok') return problemOf(database, s, 'processes', p)
  if (s.analysisLookupId !== null && a?.state !== 'ok') return problemOf(database, s, 'analysis', a)
  return null
}

const problemOf = (
  { tables }: ModelDatabase,
  { organizationId }: RadarSnapshotRecord,
  kind: Kind,
  lookup: LookupRecord | null,
): Message => {
  if (lookup && lookup.finishedAt !== null) return ['unverified', kind, lookup.state] as Message
  const held = tables.lanes.get(laneKey({ organizationId, kind }))
  if (held && lookup && holdStops(held.cause, lookup.state)) return ['unverified_held', kind, held.cause] as Message
  return ['unverified_late', kind] as Message
}

const figuresOf = (database: ModelDatabase, s: RadarSnapshotRecord): RiskFigures => {
  const answerOf = (id: bigint | null) =>
    lookupOf(database, id)?.state === 'ok' ? database.tables.answers.get(id!) : undefined
  const { summary, fields } = answerOf(s.analysisLookupId) ?? {}
  const isUnsearched = !isSearched(fields?.protestStatus || null)
  const searched = <T>(figures: (T | null)[] | undefined): (T | null)[] | null =>
    figures?.map((figure, i) => (isUnsearched && i === protests ? null : figure)) ?? null
  const processes = answerOf(s.processesLookupId)?.total ?? null
  return { processes, counts: searched(summary?.counts), cents: searched(summary?.cents) }
}

const protests = classifications.indexOf('RISK_PROTEST' satisfies Classification)

export async function* streamDifferences(tx: Sql, sweepId: bigint) {
  const found = await on(tx, (database) => {
    const all = [...database.tables.radarSnapshots.values()]
    return all
      .filter((s) => s.sweepId === sweepId)
      .flatMap((s) => {
        const earlier = all
          .filter((h) => h.organizationId === s.organizationId && h.document === s.document && h.sweepId < sweepId)
          .sort((a, b) => Number(b.sweepId - a.sweepId))
        const before: RiskFigures = {
          processes: earlier.find(({ processes }) => processes !== null)?.processes ?? null,
          counts: lastKnown(earlier.map(({ counts }) => counts)),
          cents: lastKnown(earlier.map(({ cents }) => cents)),
        }
        const { processes, counts, cents, document } = s
        if (!isKnownToDiffer(before, s)) return []
        return [{ organizationId: BigInt(s.organizationId), document, before, after: { processes, counts, cents } }]
      })
  })
  if (found.length > 0) yield found
}

/** Of each place the last one that is known. */
const lastKnown = <T>(newestFirst: readonly (readonly (T | null)[] | null)[]): (T | null)[] | null => {
  const known = newestFirst.filter((figures) => figures !== null)
  return known[0]?.map((_, i) => known.find((figures) => figures[i] !== null)?.[i] ?? null) ?? null
}

const isKnownToDiffer = (before: RiskFigures, after: RiskFigures): boolean =>
  (before.processes !== null && after.processes !== null && before.processes !== after.processes) ||
  differ(before.counts, after.counts) ||
  differ(before.cents, after.cents)

const differ = (one: RiskFigures['counts'] | RiskFigures['cents'], other: typeof one): boolean =>
  one !== null && other !== null && one.some((figure, i) => figure !== other[i])
