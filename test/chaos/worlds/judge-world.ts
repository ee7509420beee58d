import type { Arena } from '../arena.ts'
import { check, type Findings } from '../checker.ts'
import { unlessOk } from '../scenario.ts'
import type { DrawnWorld } from './random-world.ts'

/** What became of one world: its charges beside its documents, and every promise that it saw broken. */
export type Verdict = { charges: number; documents: number; parked: number; problems: string[] }

/**
 * Judges by the registry's ledger: nothing twice, no row lost, and parked only where the world hides the truth.
 *
 * Where it does, every purchase that no row owns must be behind one whose charge is unknown, parked or answered by what
 * may be a colleague's: doubt is told, never dropped.
 */
export const judgeWorld = async (
  arena: Arena,
  { hides, limitless, clouded, elsewhere }: DrawnWorld,
): Promise<Verdict> => {
  const findings = await check(arena)
  const documents = new Set(
    arena.submitted.flatMap(({ kind, documents }) => documents.map((each) => `${kind} ${each}`)),
  )
  const mayEnd = ['not_found', ...(hides.length > 0 ? ['unknown_outcome'] : [])]
  return {
    charges: findings.figures.charges ?? 0,
    documents: documents.size,
    parked: findings.books.parked,
    problems: [
      ...findings.problems,
      ...unlessOk(without(findings, [...clouded, ...(limitless ? atPageEnds(findings) : [])]), mayEnd),
      ...dropped(findings),
      ...boughtAnyway(findings, elsewhere),
    ],
  }
}

/**
 * Documents whose call nobody can judge, though the world hides nothing else: the last list before it was parked named no
 * limit and was as long as pages are, and we know of nothing bought on one side of the call. A registry that has one more
 * and shows pages of that length answers with the same bytes.
 */
const atPageEnds = ({ evidence, books }: Findings): string[] => {
  const lists = evidence.requests.filter(({ listed, outcome }) => listed !== null && outcome === 'answered')
  const bought = books.lookups.filter(({ kind, charged }) => kind === 'analysis' && charged === 'yes')
  const parked = books.lookups.filter(({ kind, state }) => kind === 'analysis' && state === 'unknown_outcome')
  return parked
    .filter(({ sendingAt, finishedAt }) => {
      const last = lists.findLast(({ answeredAt }) => answeredAt! <= finishedAt!.getTime())
      const seen = bought.filter((each) => last && each.sendingAt && each.sendingAt.getTime() < last.receivedAt)
      const isBetween =
        seen.some((each) => each.sendingAt! < sendingAt!) && seen.some((each) => each.sendingAt! > sendingAt!)
      return last !== undefined && pageLengths.includes(last.listed!) && !isBetween
    })
    .map(({ question }) => question)
}

const pageLengths = [10, 12, 15, 20, 25, 30, 40, 50, 100]

const dropped = ({ evidence, books }: Findings): string[] => {
  const owned = new Set(books.lookups.map(({ remoteId }) => remoteId))
  const unsure = books.lookups.filter(({ charged }) => charged === 'unknown')
  const doubted = new Set(unsure.map(({ kind, question }) => `${kind} ${question}`))
  const lost = evidence.units.filter(
    (unit) => !owned.has(String(unit.id)) && !doubted.has(`${unit.kind} ${unit.document}`),
  )
  return lost.length > 0
    ? [`${lost.length} purchases are nobody's, and no row of theirs says that its charge is unknown`]
    : []
}

const boughtAnyway = ({ evidence }: Findings, elsewhere: string[]): string[] => {
  const bought = evidence.units.filter(({ kind, document }) => kind === 'analysis' && elsewhere.includes(document))
  return bought.length > 0 ? [`${bought.length} analyses were bought that the organization already had`] : []
}

/** The same findings without the look-ups about whose end nothing is asked but that they end. */
const without = (findings: Findings, clouded: string[]): Findings => {
  const judged = findings.books.lookups.filter(({ question }) => !clouded.includes(question))
  const states = Map.groupBy(judged, ({ state }) => state)
  const counts = Object.fromEntries([...states].map(([state, group]) => [state, group.length]))
  return { ...findings, books: { ...findings.books, states: counts } }
}
