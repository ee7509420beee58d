import type { Arena } from '../arena.ts'
import { check, type Findings } from '../checker.ts'
import type { LookupFacts } from '../purchase-ledger.ts'
import { unlessOk } from '../scenario.ts'
import type { DrawnWorld } from './random-world.ts'

/** The result of one world: its charges and documents, and every broken promise. */
export type Verdict = { charges: number; documents: number; parked: number; problems: string[] }

/**
 * Judges by the registry's ledger: nothing twice, no row lost. Rows may be parked only where the world hides the truth, or
 * does not say whether its list shows everything.
 *
 * Where they are, every purchase that no row owns must belong to a parked one: an unknown outcome is reported, never dropped.
 */
export const judgeWorld = async (
  arena: Arena,
  { hides, isUndeclared, clouded, elsewhere }: DrawnWorld,
): Promise<Verdict> => {
  const findings = await check(arena)
  const documents = new Set(
    arena.submitted.flatMap(({ kind, documents }) => documents.map((each) => `${kind} ${each}`)),
  )
  const mayPark = hides.length > 0 || isUndeclared
  const mayEnd = ['not_found', ...(mayPark ? ['unknown_outcome'] : [])]
  const isExempt = ({ question }: LookupFacts): boolean => clouded.includes(question)
  return {
    charges: findings.figures.charges ?? 0,
    documents: documents.size,
    parked: findings.records.parked,
    problems: [
      ...findings.problems,
      ...unlessOk(without(findings, isExempt), mayEnd),
      ...(mayPark ? [] : await historiesOfParked(arena, findings, isExempt)),
      ...dropped(findings),
      ...boughtAnyway(findings, elsewhere),
    ],
  }
}

const keyOf = ({ kind, document }: { kind: string; document: string }): string => `${kind} ${document}`

const purchasesOfNobody = ({ evidence, records }: Findings): Findings['evidence']['units'] => {
  const owned = new Set(records.lookups.map(({ remoteId }) => remoteId))
  return evidence.units.filter((unit) => !owned.has(String(unit.id)))
}

const dropped = (findings: Findings): string[] => {
  const parked = findings.records.lookups.filter(({ state }) => state === 'unknown_outcome')
  const doubted = new Set(parked.map(({ kind, question }) => keyOf({ kind, document: question })))
  const lost = purchasesOfNobody(findings).filter((unit) => !doubted.has(keyOf(unit)))
  return lost.length > 0 ? [`${lost.length} purchases are nobody's, and no row is parked for them`] : []
}

const boughtAnyway = ({ evidence }: Findings, elsewhere: string[]): string[] => {
  const bought = evidence.units.filter(({ kind, document }) => kind === 'analysis' && elsewhere.includes(document))
  return bought.length > 0 ? [`${bought.length} analyses were bought that the organization already had`] : []
}

/** Why some rows were parked without a reason, and the lists that they were judged by. */
const historiesOfParked = async (
  { sql }: Arena,
  { records }: Findings,
  isExempt: (lookup: LookupFacts) => boolean,
): Promise<string[]> => {
  const parked = records.lookups.filter((lookup) => lookup.state === 'unknown_outcome' && !isExempt(lookup))
  if (parked.length === 0) return []
  const histories = await sql<{ reported: string }[]>`
    select concat_ws(' | ', 'look-up ' || id || ' of ' || kind || ', sent ' || sending_at, 'list_snapshot ' || list_snapshot_id,
                     array_to_string(trace, ' | ')) as reported
      from vigia.lookup where id = any(${parked.map(({ id }) => id)}::bigint[]) limit 3`
  const snapshots = await sql<{ reported: string }[]>`
    select concat_ws(', ', 'list_snapshot ' || id || ' at ' || began_at, items || ' items', analyses || ' analyses',
                     case when complete then 'complete' end, case when lacks then 'lacks some' end) as reported
      from vigia.list_snapshot where kind = 'analysis' order by id desc limit 8`
  return [...histories, ...snapshots].map(({ reported }) => reported)
}

/** The same findings without the look-ups that may end in any state. */
const without = (findings: Findings, isExempt: (lookup: LookupFacts) => boolean): Findings => {
  const judged = findings.records.lookups.filter((lookup) => !isExempt(lookup))
  const states = Map.groupBy(judged, ({ state }) => state)
  const counts = Object.fromEntries([...states].map(([state, group]) => [state, group.length]))
  return { ...findings, records: { ...findings.records, states: counts } }
}
