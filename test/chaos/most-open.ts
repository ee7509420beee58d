import type { Exchange } from '../../src/sandbox/ledger.ts'

/**
 * The most requests that were open at one moment, by the registry's own clock.
 *
 * Where one ends in the millisecond in which another begins, the end comes first: its caller had let go before.
 */
export const mostOpen = (requests: Exchange[]): number => {
  const moments = requests.flatMap(({ receivedAt, answeredAt }) => [
    { at: receivedAt, change: 1 },
    { at: answeredAt ?? Number.POSITIVE_INFINITY, change: -1 },
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
