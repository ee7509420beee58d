import { CallFailure } from '../domain/call-failure.ts'

/** How one request went: its operation as a template such as `GET /v1/scr/indicators/{document}`, never a document. */
type Exchange = { operation: string; outcome: string; seconds: number }

export type Observe = (exchange: Exchange) => void

/** Makes one request and tells the observer of it; one that we kept back ourselves was no request. */
export async function observed<T>(operation: string, observe: Observe, request: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const tell = (outcome: unknown) => {
    if (outcome instanceof CallFailure && outcome.keptBack) return
    observe({ operation, outcome: wordFor(outcome), seconds: (performance.now() - began) / 1000 })
  }
  try {
    const outcome = await request()
    tell(outcome)
    return outcome
  } catch (failure) {
    tell(failure)
    throw failure
  }
}

/** `ok`, or the name of the failure as metrics write names: `too_many_requests`. */
const wordFor = (outcome: unknown): string =>
  outcome instanceof Error ? outcome.name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase() : 'ok'
