import type { Exchange } from '../../src/sandbox/ledger.ts'

/**
 * The most requests that were open at one moment, by the registry's own clock.
 *
 * Where one ends in the millisecond in which another begins, the end comes first. One that its caller abandoned had
 * ended over there a moment before the registry noticed, and the next may overtake that news.
 */
export const mostOpen = (requests: Exchange[]): number => {
  const moments = requests.flatMap((request) => [
    { at: request.receivedAt, change: 1 },
    { at: endOf(request), change: -1 },
  ])
  moments.sort((a, b) => a.at - b.at || a.change - b.change)
  let open = 0
  let most = 0
  for (const { change } of moments) {
    open += change
    if (open > most) most = open
  }
  return most
}

const newsMs = 50

const endOf = ({ receivedAt, answeredAt, outcome }: Exchange): number => {
  if (answeredAt === null) return Number.POSITIVE_INFINITY
  return outcome === 'abandoned' ? Math.max(receivedAt, answeredAt - newsMs) : answeredAt
}
