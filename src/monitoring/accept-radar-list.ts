import { recordAudit } from '../store/audit.ts'
import { applyRadarList } from '../store/radars.ts'
import { takeSuspicious } from '../store/suspicious-lists.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import { SweepRefusal } from './sweep-refusal.ts'

/** A person's word that a suspicious list is right: it is applied, removals and all. */
export const acceptRadarList = (
  { sql, clock }: Pick<MonitoringTools, 'sql' | 'clock'>,
  { organizationId, by }: { organizationId: number; by: string },
): Promise<number> =>
  sql.begin(async (tx) => {
    const list = await takeSuspicious(tx, organizationId)
    if (!list)
      throw new SweepRefusal(`Organization ${organizationId} has no suspicious list: 'vigia radars list' shows them`)
    await applyRadarList(tx, list.sweepId, organizationId, list.radars, clock())
    await recordAudit(tx, by, 'accept radars', `organization ${organizationId}`, { radars: list.radars.length })
    return list.radars.length
  })
