import { accounts, credentials } from '../../../src/sandbox/tokens.ts'
import type { WorldPatch } from '../../../src/sandbox/world.ts'
import { callsTo } from '../../sandbox/ask.ts'
import type { Arena } from '../arena.ts'
import type { SandboxProcess } from '../sandbox-process.ts'
import type { DrawnWorld } from './random-world.ts'

type ParkedCall = { id: bigint; document: string; sendingAt: Date }

/**
 * Parked calls that nobody could judge, though the list shows everything: it names no higher limit and is as long as pages are made,
 * so that one which ends before the call would be the same text.
 *
 * That is shown and not assumed. A twin of the registry, with the same books, did sell the document at that moment, and
 * has a page of that length whose total counts the page: only where the two show the same was the truth hidden. A call may
 * be worked as late as `takesMs` after it was sent, and so may the others: the twin may have sold so much earlier or later.
 */
export const hiddenByLength = async (arena: Arena, world: DrawnWorld, takesMs: number): Promise<bigint[]> => {
  if (world.hides.length > 0) return []
  const calls = await arena.sql<ParkedCall[]>`
    select id, question as document, sending_at as "sendingAt" from vigia.lookup
     where kind = 'analysis' and state = 'unknown_outcome' and sending_at is not null`
  const hidden: bigint[] = []
  for (const call of calls) if (await hasTwin(arena.sandbox, world, call, takesMs)) hidden.push(call.id)
  return hidden
}

export const hasTwin = async (
  sandbox: SandboxProcess,
  world: Pick<DrawnWorld, 'scenario'>,
  { document, sendingAt }: Omit<ParkedCall, 'id'>,
  takesMs: number,
): Promise<boolean> => {
  for (const shiftMs of new Set([0, takesMs, -takesMs])) {
    const sold = { documents: [document], at: sendingAt.getTime() + shiftMs }
    if (await isTwin(sandbox, world, sold)) return true
  }
  return false
}

const isTwin = async (
  sandbox: SandboxProcess,
  { scenario }: Pick<DrawnWorld, 'scenario'>,
  sold: { documents: string[]; at: number },
): Promise<boolean> => {
  const shown = await listOf(sandbox)
  if ((shown.limit && shown.limit !== shown.items.length) || !isPageLong(shown.items.length)) return false
  await using twin = await sandbox.twin()
  const listed = async (list: NonNullable<WorldPatch['list']>) => {
    await twin.set({ world: { ...scenario.world, others: [sold], list: { ...scenario.world?.list, ...list } } })
    return (await listOf(twin)).text
  }
  if ((await listed({})) === shown.text) return false
  const page = { page: shown.items.length, total: 'page' } as const
  const pages = [await listed({ ...page, keep: 'oldest' }), await listed({ ...page, keep: 'newest' })]
  return pages.includes(shown.text)
}

/** Round numbers, and quarters of a hundred. */
const isPageLong = (items: number): boolean => items > 1 && (items % 10 === 0 || items % 25 === 0)

/** What a caller is shown; an order that is drawn anew each time tells nothing, so it is put aside. */
const listOf = async ({ url }: SandboxProcess) => {
  const { activities } = callsTo(url, { account: accounts[0], token: credentials.token })
  const { result, ...figures } = (await activities()).body
  const items = result.map((item) => JSON.stringify(item)).toSorted()
  return { text: JSON.stringify([figures, items]), items, limit: figures.limit }
}
