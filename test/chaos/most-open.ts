import type { Exchange } from '../../src/sandbox/ledger.ts'

/** The moment with the most open requests by the registry's clock, and the requests that were open then. */
export type Peak = { at: number; requests: Exchange[] }

/**
 * Finds the moment with the most open requests.
 *
 * If one request ends in the millisecond in which another begins, the end comes first. A request that its caller
 * abandoned ended there a moment before the registry noticed, and the next request may arrive before that. However late
 * it is noticed, it ended with the caller's own time-out, which started before the registry received the request.
 */
export const peakOf = (requests: Exchange[], timeoutMs = Number.POSITIVE_INFINITY): Peak => {
  const endOf = (request: Exchange) => endBy(request, timeoutMs)
  const moments = requests.flatMap((request) => [
    { at: request.receivedAt, change: 1 },
    { at: endOf(request), change: -1 },
  ])
  moments.sort((a, b) => a.at - b.at || a.change - b.change)
  let open = 0
  let most = 0
  let peak = 0
  for (const { at, change } of moments) {
    open += change
    if (open <= most) continue
    most = open
    peak = at
  }
  return { at: peak, requests: requests.filter((request) => request.receivedAt <= peak && endOf(request) > peak) }
}

/** The requests that were open at the peak, to explain why they were too many. */
export const formatPeak = ({ at, requests }: Peak): string[] =>
  requests.map(
    ({ n, operation, fault, outcome, receivedAt, answeredAt }) =>
      `  request ${n}, ${operation}${fault ? ` (${fault})` : ''}: open for ${at - receivedAt} ms, ` +
      (answeredAt === null ? 'never ended' : `${outcome} ${answeredAt - at} ms later`),
  )

const newsMs = 50

const endBy = ({ receivedAt, answeredAt, outcome }: Exchange, timeoutMs: number): number => {
  if (answeredAt === null) return Number.POSITIVE_INFINITY
  if (outcome !== 'abandoned') return answeredAt
  return Math.max(receivedAt, Math.min(answeredAt - newsMs, receivedAt + timeoutMs))
}
