import { batchOrRefuse } from '../../batches/batch-or-refuse.ts'
import { type Resolution, resolveLookup, resolveRow } from '../../batches/resolve.ts'
import { notFound } from '../../operations/refusal.ts'
import { readParkedLookup } from '../../store/lookups/parked-rows.ts'
import type { Site } from '../site/site.ts'
import { steeringOf } from './batch.ts'

/** The same by look-up number: a look-up of a sweep has no batch and no line. */
export const resolveParked = async (site: Site, by: string, id: bigint, resolution: Resolution): Promise<void> => {
  const { engine, purchases } = site
  const parked = await readParkedLookup(engine.sql, id)
  if (!parked) throw notFound('look-up')
  const resolving = { ...steeringOf(site, by, parked.kind), today: engine.today, purchases }
  await resolveLookup(engine.sql, id, resolution, resolving)
  engine.wake()
}

export const resolveLine = async (
  site: Site,
  by: string,
  id: bigint,
  line: number,
  resolution: Resolution,
): Promise<void> => {
  const { engine, purchases } = site
  const { kind } = await batchOrRefuse(engine.sql, id)
  const resolving = { ...steeringOf(site, by, kind), today: engine.today, purchases }
  await resolveRow(engine.sql, id, line, resolution, resolving)
  engine.wake()
}
