import type { Exchange } from '../../src/sandbox/ledger.ts'

/** The moment with the most open requests, by the registry's own clock, and what was open then. */
export type Peak = { at: number; requests: Exchange[] }

/**
 * Finds the moment with the most open requests.
 *
 * Where one ends in the millisecond in which another begins, the end comes first. One that its caller abandoned had
 * ended over there a moment before the registry noticed, and the next may overtake that news; and however late the
 * news, it had ended when the caller's own time-out had passed, which began before the registry received it.
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

/** What was open at the peak, for whoever must find out why it was too much. */
export const formatMessage = ({ at, requests }: Peak): string[] =>
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
