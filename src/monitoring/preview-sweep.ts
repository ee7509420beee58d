import { withinLimit } from '../domain/amount.ts'
import { freshSinceOf } from '../domain/fresh-since.ts'
import { inEnglish } from '../domain/said/english.ts'
import { suspicionOf } from '../domain/sweep.ts'
import { judgeDocuments } from '../store/batches/quote.ts'
import { countExpired } from '../store/people/purge.ts'
import { compareSize } from '../store/radars/radars.ts'
import type { SweepName } from '../store/radars/sweeps.ts'
import { documentsOf, onePerDocument } from './mirror-radars.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import type { Retention } from './purge-expired.ts'

type Tools = Pick<MonitoringTools, 'sql' | 'accounts' | 'registry' | 'clock'> & {
  settings: MonitoringTools['settings'] & { retention: Retention }
}

/** What a sweep would do now. It reads, and writes, asks for money and deletes nothing. */
export const previewSweep = async (tools: Tools, name: SweepName): Promise<Record<string, unknown>> => {
  if (name === 'radars') return { organizations: await Promise.all(tools.accounts.map((each) => preview(tools, each))) }
  if (name === 'purge') return previewPurge(tools)
  return { wouldRead: name === 'usage' ? tools.accounts.length : 'the tables of work under way' }
}

/** How many analyses a sweep would buy now, at most. */
export const analysesToBuy = async (tools: Tools, name: SweepName): Promise<number> => {
  if (name !== 'radars') return 0
  const { budget } = tools.settings
  const organizations = await Promise.all(tools.accounts.map((each) => preview(tools, each)))
  return organizations.reduce((sum, each) => sum + withinLimit(each.analysesToBuy, budget.perBatch), 0)
}

const preview = async ({ sql, registry, settings, clock }: Tools, account: Tools['accounts'][number]) => {
  const { organizationId } = account
  const { complete, radars } = await registry.radars.list(account)
  const listed = onePerDocument(radars)
  const active = listed.filter((radar) => radar.active)
  const { mirrored, missing } = await compareSize(sql, organizationId, documentsOf(listed))
  const suspicion = suspicionOf({ complete, listed: listed.length, mirrored, missing })
  const every = settings.radarSweep.analysisEvery
  const freshSince = freshSinceOf({ freshness: every ?? 0 }, clock())
  const quoting = { organizationId, kind: 'analysis', freshSince, adopts: false } as const
  const toBePaid = every === null ? 0 : (await judgeDocuments(sql, documentsOf(active), quoting)).toBeAsked
  return {
    organizationId,
    listed: listed.length,
    known: mirrored,
    missing,
    suspicion: suspicion && inEnglish(suspicion),
    toLookAt: active.length,
    analysesToBuy: toBePaid,
  }
}

const previewPurge = ({ sql, clock, settings }: Tools) => {
  const ago = (ms: number) => new Date(clock().getTime() - ms)
  return countExpired(sql, { batches: ago(settings.retention.batches), lookups: ago(settings.retention.lookups) })
}
