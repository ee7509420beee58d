import type { Arena } from '../arena.ts'
import { check, type Findings } from '../checker.ts'
import { unlessOk } from '../scenario.ts'
import type { DrawnWorld } from './random-world.ts'

/** What became of one world: its charges beside its documents, and every promise that it saw broken. */
export type Verdict = { charges: number; documents: number; parked: number; hidden: number; problems: string[] }

/**
 * Judges by the registry's ledger: nothing twice, no row lost, and parked only where the world hides the truth, or where a
 * twin of it has shown that nobody could judge the call (`hidden`), and no purchase was there to be seen.
 *
 * Where it does, every purchase that no row owns must be behind a parked one: doubt is told, never dropped.
 */
export const judgeWorld = async (
  arena: Arena,
  { hides, clouded, elsewhere }: DrawnWorld,
  hidden: ReadonlySet<bigint>,
): Promise<Verdict> => {
  const findings = await check(arena)
  const documents = new Set(
    arena.submitted.flatMap(({ kind, documents }) => documents.map((each) => `${kind} ${each}`)),
  )
  const unclaimed = new Set(purchasesOfNobody(findings).map(keyOf))
  const mayEnd = ['not_found', ...(hides.length > 0 ? ['unknown_outcome'] : [])]
  return {
    charges: findings.figures.charges ?? 0,
    documents: documents.size,
    parked: findings.books.parked,
    hidden: hidden.size,
    problems: [
      ...findings.problems,
      ...unlessOk(
        without(findings, ({ id, kind, question }) => {
          if (clouded.includes(question)) return true
          return hidden.has(id) && !unclaimed.has(keyOf({ kind, document: question }))
        }),
        mayEnd,
      ),
      ...dropped(findings),
      ...boughtAnyway(findings, elsewhere),
    ],
  }
}

const keyOf = ({ kind, document }: { kind: string; document: string }): string => `${kind} ${document}`

const purchasesOfNobody = ({ evidence, books }: Findings): Findings['evidence']['units'] => {
  const owned = new Set(books.lookups.map(({ remoteId }) => remoteId))
  return evidence.units.filter((unit) => !owned.has(String(unit.id)))
}

const dropped = (findings: Findings): string[] => {
  const parked = findings.books.lookups.filter(({ state }) => state === 'unknown_outcome')
  const doubted = new Set(parked.map(({ kind, question }) => keyOf({ kind, document: question })))
  const lost = purchasesOfNobody(findings).filter((unit) => !doubted.has(keyOf(unit)))
  return lost.length > 0 ? [`${lost.length} purchases are nobody's, and no row is parked for them`] : []
}

const boughtAnyway = ({ evidence }: Findings, elsewhere: string[]): string[] => {
  const bought = evidence.units.filter(({ kind, document }) => kind === 'analysis' && elsewhere.includes(document))
  return bought.length > 0 ? [`${bought.length} analyses were bought that the organization already had`] : []
}

/** The same findings without the look-ups about whose end nothing is asked but that they end. */
const without = (findings: Findings, isExempt: (lookup: Findings['books']['lookups'][number]) => boolean): Findings => {
  const judged = findings.books.lookups.filter((lookup) => !isExempt(lookup))
  const states = Map.groupBy(judged, ({ state }) => state)
  const counts = Object.fromEntries([...states].map(([state, group]) => [state, group.length]))
  return { ...findings, books: { ...findings.books, states: counts } }
}
