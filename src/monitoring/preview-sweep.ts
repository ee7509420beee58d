import type { UnitPrices } from '../domain/amount.ts'
import { freshSinceOf } from '../domain/fresh-since.ts'
import { suspicionOf } from '../domain/sweep.ts'
import { countPayable } from '../store/batches/quote.ts'
import { countExpired } from '../store/people/purge.ts'
import { compareSize } from '../store/radars/radars.ts'
import { dueRadars } from '../store/radars/snapshots.ts'
import type { SweepName } from '../store/radars/sweeps.ts'
import {
  type FoundRadars,
  type SweepPreview,
  type SweepQuote,
  toSweepPreviewView,
  toSweepQuoteView,
} from '../views/sweep-preview.ts'
import { documentsOf, onePerDocument } from './mirror-radars.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import type { Retention } from './purge-expired.ts'

type Settings = MonitoringTools['settings'] & {
  retention: Retention
  budget: { unitPrice: UnitPrices | null }
}
type Tools = Pick<MonitoringTools, 'sql' | 'accounts' | 'registry' | 'clock'> & { settings: Settings }

/** What a sweep would do now. It only reads: nothing is written, spent or deleted. */
export const previewSweep = async (tools: Tools, name: SweepName): Promise<SweepPreview> =>
  toSweepPreviewView(name, await lookAhead(tools, name), tools.settings.budget)

/** The most that a sweep would buy now. */
export const quoteSweep = async (tools: Tools, name: SweepName): Promise<SweepQuote> =>
  toSweepQuoteView(name, name === 'radars' ? await findRadars(tools) : [], tools.settings.budget)

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
  const every = settings.radarSweep.analysisEvery
  const freshSince = freshSinceOf({ freshness: every ?? 0 }, clock())
  const quoting = { organizationId, kind: 'analysis', freshSince, adopts: false } as const
  return {
    organizationId,
    listed: listed.length,
    known: mirrored,
    missing,
    suspicion,
    toLookAt: due.length,
    analysesDue: every === null ? 0 : await countPayable(sql, due, quoting),
  }
}

const previewPurge = ({ sql, clock, settings }: Tools) => {
  const ago = (ms: number) => new Date(clock().getTime() - ms)
  const { batches, lookups, unconfirmed } = settings.retention
  return countExpired(sql, { batches: ago(batches), lookups: ago(lookups), unconfirmed: ago(unconfirmed) })
}
