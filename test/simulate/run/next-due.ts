import type { ModelDatabase } from '../store/database.ts'
import { holdStops, laneKey, mayAsk } from '../store/rules.ts'
import type { LookupRecord } from '../store/tables.ts'

/** When a worker that looks may next find something to do: until then it does not matter how often it looks. */
export const nextDue = (model: ModelDatabase): number => {
  const { lookups, intents, lanes } = model.tables
  let next = Number.POSITIVE_INFINITY
  for (const { judgedAt } of intents.values()) next = Math.min(next, judgedAt.getTime())
  for (const { trialAt } of lanes.values()) if (trialAt) next = Math.min(next, trialAt.getTime())
  const claimed = new Set<bigint>()
  for (const { ids } of model.tables.claims.values()) for (const id of ids) claimed.add(id)
  for (const lookup of lookups.values()) {
    if (lookup.dueAt === null || claimed.has(lookup.id)) continue
    next = Math.min(next, mayGo(model, lookup) ? lookup.dueAt.getTime() : lookup.deadlineAt.getTime())
  }
  return next
}

const mayGo = ({ tables }: ModelDatabase, lookup: LookupRecord): boolean => {
  if (tables.intents.has(lookup.id)) return false
  const held = tables.lanes.get(laneKey(lookup))
  if (held && holdStops(held.cause, lookup.state)) return false
  const batch = tables.batches.get(lookup.batchId)
  return lookup.state !== 'queued' || (batch !== undefined && mayAsk(batch))
}
