import type { FaultKind } from './fault-rule.ts'
import type { OperationName } from './operations.ts'
import { operationNames } from './operations.ts'

/** One request, as the registry saw it. */
export type Exchange = {
  n: number
  operation: OperationName
  organizationId: number | null
  document: string | null
  receivedAt: number
  workedAt: number | null
  answeredAt: number | null
  status: number | null
  fault: FaultKind | 'outage' | null
  /** The code with which the registry refused, such as PLAN_NOT_ALLOWED or ErrorForbiddenException. */
  refusal: string | null
  /** `answered` completely, `closed` by the sandbox, or `abandoned` by the caller before the answer was complete. */
  outcome: 'open' | 'answered' | 'closed' | 'abandoned'
}

const blank = { organizationId: null, document: null, workedAt: null, answeredAt: null, status: null, fault: null }

export type Ledger = ReturnType<typeof openLedger>

const count = (counts: Record<string, number>, what: string | number | null): void => {
  if (what !== null) counts[what] = (counts[what] ?? 0) + 1
}

/** The registry's record of every request. In `summary` mode it keeps only counts, so that it does not grow. */
export const openLedger = (mode: 'full' | 'summary') => {
  const requests: Exchange[] = []
  const counts = Object.fromEntries(operationNames.map((name) => [name, 0])) as Record<OperationName, number>
  const statuses: Record<string, number> = {}
  const faults: Record<string, number> = {}
  const refusals: Record<string, number> = {}
  const totals = { received: 0, worked: 0, answered: 0, inFlight: 0, maxInFlight: 0 }

  return {
    ...{ mode, requests, counts, statuses, faults, refusals, totals },

    receive(operation: OperationName, at: number): Exchange {
      const n = ++totals.received
      counts[operation]++
      totals.inFlight++
      if (totals.inFlight > totals.maxInFlight) totals.maxInFlight = totals.inFlight
      const exchange: Exchange = { n, operation, ...blank, refusal: null, receivedAt: at, outcome: 'open' }
      if (mode === 'full') requests.push(exchange)
      return exchange
    },

    worked(exchange: Exchange, at: number): void {
      exchange.workedAt = at
      totals.worked++
    },

    /** The connection has finished this request, whoever ended it. */
    leave(exchange: Exchange, at: number, complete: boolean): void {
      totals.inFlight--
      exchange.answeredAt = at
      if (exchange.outcome === 'open') exchange.outcome = complete ? 'answered' : 'abandoned'
      if (exchange.outcome === 'answered') totals.answered++
      count(statuses, exchange.status ?? exchange.outcome)
      count(faults, exchange.fault)
      count(refusals, exchange.refusal)
    },
  }
}
