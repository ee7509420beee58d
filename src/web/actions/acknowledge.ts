import { acknowledgeChange } from '../../monitoring/judge-changes.ts'
import { toAcknowledgementView } from '../../views/change.ts'
import type { Site } from '../site/site.ts'

/** `forMs`: how long the change is known and not told of again; null where it was only seen to. */
type AcknowledgeInput = { by: string; note: string; forMs: number | null }

/** Gives a person's word on a change. */
export const recordAcknowledgement = async (
  { engine }: Site,
  change: bigint,
  { by, note, forMs }: AcknowledgeInput,
) => {
  const now = engine.clock()
  const until = forMs === null ? null : new Date(now.getTime() + forMs)
  return toAcknowledgementView(await acknowledgeChange(engine.sql, change, { by, note, until, now }))
}
