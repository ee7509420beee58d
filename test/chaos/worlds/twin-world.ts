import { accounts, credentials } from '../../../src/sandbox/tokens.ts'
import { callsTo } from '../../sandbox/ask.ts'
import type { Arena } from '../arena.ts'
import type { SandboxProcess } from '../sandbox-process.ts'
import type { DrawnWorld } from './random-world.ts'

type ParkedCall = { id: bigint; document: string; sendingAt: Date }

/**
 * Parked calls whose outcome could not be known although the list shows everything: it names no higher limit and is as
 * long as a full page, so a list that leaves the call out would be the same text.
 *
 * This is shown and not assumed. A twin of the registry with the same records did sell the document at that moment. The
 * truth was hidden only if everything in our list is in the list of the twin too, byte for byte, and the twin's has more:
 * the interface does not say which items a page shows, or how they are ordered.
 */
export const hiddenByLength = async (arena: Arena, world: DrawnWorld): Promise<bigint[]> => {
  if (world.hides.length > 0) return []
  const calls = await arena.sql<ParkedCall[]>`
    select id, question as document, sending_at as "sendingAt" from vigia.lookup
     where kind = 'analysis' and state = 'unknown_outcome' and sending_at is not null and message ->> 0 = 'lost_unproven'`
  const hidden: bigint[] = []
  for (const call of calls) if (await hasTwin(arena.sandbox, world, call)) hidden.push(call.id)
  return hidden
}

export const hasTwin = async (
  sandbox: SandboxProcess,
  { scenario }: Pick<DrawnWorld, 'scenario'>,
  { document, sendingAt }: Omit<ParkedCall, 'id'>,
): Promise<boolean> => {
  const shown = await listOf(sandbox)
  await using twin = await sandbox.twin()
  const sold = { documents: [document], at: sendingAt.getTime() }
  await twin.set({ world: { ...scenario.world, others: [sold], list: { ...scenario.world?.list, page: null } } })
  const all = await listOf(twin)
  return mayBePage(shown, shown.items, all.items) || mayBePage(shown, shown.analyses, all.analyses)
}

/** Whether these fill a page, and are only a part of all. */
const mayBePage = ({ limit }: { limit: number | null }, shown: string[], all: string[]): boolean => {
  if ((limit && limit !== shown.length) || !isPageLong(shown.length)) return false
  const known = new Set(all)
  return all.length > shown.length && shown.every((each) => known.has(each))
}

const isPageLong = (length: number): boolean => [10, 12, 15, 20, 25, 30, 40, 50, 100].includes(length)

/** What a caller sees, in items and in the purchases of all of them. */
const listOf = async ({ url }: SandboxProcess) => {
  const { activities } = callsTo(url, { account: accounts[0], token: credentials.token })
  const { result, limit } = (await activities()).body
  return {
    limit,
    items: result.map((item) => JSON.stringify(item)),
    analyses: result.flatMap(({ userPlanConsumeAnalytics }) =>
      userPlanConsumeAnalytics.map((each) => JSON.stringify(each)),
    ),
  }
}
