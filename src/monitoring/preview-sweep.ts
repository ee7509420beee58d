import { localDay } from '../domain/calendar.ts'
import { callFailureOf } from '../domain/call-failure.ts'
import type { Account } from '../domain/lookup.ts'
import { analysesSince, followsFigures, freeFigures, movedFigure, suspicionOf } from '../domain/sweep.ts'
import { countPayable } from '../store/batches/quote.ts'
import { countExpired } from '../store/people/purge.ts'
import { spentOn } from '../store/purchases/spending.ts'
import { type ListedTotals, lastFigures } from '../store/radars/free-figures.ts'
import { compareSize } from '../store/radars/radars.ts'
import { dueRadars } from '../store/radars/snapshots.ts'
import type { SweepName } from '../store/radars/sweeps.ts'
import {
  type FoundRadars,
  type SweepPreview,
  type SweepQuote,
  toSweepPreviewView,
  toSweepQuoteView,
} from '../views/sweep.ts'
import { documentsOf, onePerDocument, streamTotals } from './mirror-radars.ts'
import type { MonitoringTools } from './monitoring-tools.ts'

type Tools = Pick<MonitoringTools, 'sql' | 'accounts' | 'registry' | 'clock' | 'settings'>

/** What a sweep would do now. It only reads: nothing is written, spent or deleted. */
export const previewSweep = async (tools: Tools, name: SweepName): Promise<SweepPreview> =>
  toSweepPreviewView(name, await lookAhead(tools, name), await readBudget(tools))

/** The most that a sweep would buy now. */
export const quoteSweep = async (tools: Tools, name: SweepName): Promise<SweepQuote> =>
  toSweepQuoteView(name, name === 'radars' ? await findRadars(tools) : [], await readBudget(tools))

const readBudget = async ({ sql, clock, settings: { budget, timezone } }: Tools) => {
  const spent = budget.perDay === null ? 0 : await spentOn(sql, localDay(clock(), timezone))
  return { ...budget, leftToday: budget.perDay === null ? null : Math.max(0, budget.perDay - spent) }
}

const lookAhead = async (tools: Tools, name: SweepName) => {
  if (name === 'radars') return { organizations: await findRadars(tools) }
  if (name === 'purge') return previewPurge(tools)
  return { wouldRead: name === 'usage' ? tools.accounts.length : 'the tables of work under way' }
}

const findRadars = (tools: Tools): Promise<FoundRadars[]> =>
  Promise.all(tools.accounts.map((account) => findRadarsOf(tools, account)))

const findRadarsOf = async (
  { sql, registry, settings, clock }: Tools,
  account: Tools['accounts'][number],
): Promise<FoundRadars> => {
  const { organizationId } = account
  const { complete, radars } = await registry.radars.list(account)
  const listed = onePerDocument(radars)
  const { mirrored, missing } = await compareSize(sql, organizationId, documentsOf(listed))
  const suspicion = suspicionOf({ complete, listed: listed.length, mirrored, missing })
  // A rejected list changes nothing: the radars known before are checked.
  const due = documentsOf(suspicion ? await dueRadars(sql, organizationId) : listed.filter(({ active }) => active))
  const since = analysesSince(settings.radarSweep, clock())
  const quoting = { organizationId, kind: 'analysis', adopts: false } as const
  return {
    organizationId,
    listed: listed.length,
    known: mirrored,
    missing,
    suspicion,
    toLookAt: due.length,
    analysesDue: since === null ? 0 : await countPayable(sql, due, { ...quoting, freshSince: since }),
    ...(await findMoved({ sql, registry, settings }, account, due, since)),
  }
}

/**
 * Of the radars whose analysis is young enough: how many have a free figure that moved, by the list as it is now and the
 * count of lawsuits of the last night, and how many may still have one by tonight.
 */
const findMoved = async (
  { sql, registry, settings }: Pick<Tools, 'sql' | 'registry' | 'settings'>,
  account: Account,
  due: string[],
  since: Date | null,
): Promise<Pick<FoundRadars, 'analysesMoved' | 'analysesIfMoved'>> => {
  if (since === null || !followsFigures(settings.radarSweep)) return { analysesMoved: 0, analysesIfMoved: 0 }
  const young = await lastFigures(sql, account.organizationId, due, since)
  const known = young.filter(({ before }) => freeFigures.some((name) => before[name] !== null))
  const wanted = new Set(known.map(({ document }) => document))
  const listed = new Map<string, Omit<ListedTotals, 'document'>>()
  const keep = async (page: ListedTotals[]) => {
    for (const { document, ...totals } of page) if (wanted.has(document)) listed.set(document, totals)
  }
  const read = await streamTotals(registry, account, keep).catch(callFailureOf)
  const totalsOf = (document: string) => (read === 'complete' ? listed.get(document) : undefined)
  const moved = known.filter(({ document, before, now }) => movedFigure(before, { ...now, ...totalsOf(document) }))
  return { analysesMoved: moved.length, analysesIfMoved: known.length - moved.length }
}

const previewPurge = ({ sql, clock, settings }: Tools) => {
  const ago = (ms: number) => new Date(clock().getTime() - ms)
  const { batches, lookups, unconfirmed } = settings.retention
  return countExpired(sql, { batches: ago(batches), lookups: ago(lookups), unconfirmed: ago(unconfirmed) })
}
