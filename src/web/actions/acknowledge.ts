import { acknowledgeChange } from '../../monitoring/judge-changes.ts'
import { toAcknowledgementView } from '../../views/change.ts'
import type { Site } from '../site/site.ts'

/** `forMs`: how long the change is snoozed; null if it is only acknowledged. */
type AcknowledgeInput = { by: string; note: string; forMs: number | null }

/** Records that a person acknowledged or snoozed a change. */
export const recordAcknowledgement = async (
  { engine }: Site,
  change: bigint,
  { by, note, forMs }: AcknowledgeInput,
) => {
  const now = engine.clock()
  const until = forMs === null ? null : new Date(now.getTime() + forMs)
  return toAcknowledgementView(await acknowledgeChange(engine.sql, change, { by, note, until, now }))
}
