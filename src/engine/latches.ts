import type { CallFailure } from '../domain/call-failure.ts'
import { refusedAlike, refusedUnlike } from '../domain/hold-ends.ts'
import type { Kind } from '../domain/kind.ts'
import type { Message } from '../messages/message.ts'
import { OtherDocument } from '../registry/errors.ts'

/** Every call of a lane checks it before it is sent. The first answer that holds the lane closes it. */
export type Latch = {
  readonly isClosed: boolean
  close(): void
  /** Called when the hold is recorded: later calls and trials of the lane get a new latch. */
  replace(): void
  /**
   * Records the result of a call of a look-up, or of a chunk. True for the refusal that must hold the lane.
   *
   * `isFound`: it fetches what was found in the list and not bought here, which may be another organization's.
   */
  record(lookupId: bigint | null, endpoint: string, failure: CallFailure | null, isFound?: boolean): boolean
  /** The look-up failed while others were answered. */
  failsAlone(lookupId: bigint): boolean
}

/** A forgotten look-up costs one trial; remembering all of them would cost memory. */
const mostAlone = 10_000

/** The latches of this process, one per lane. A closed one never opens again, so that every call that holds it stops. */
export const createLatches = (): ((lane: { organizationId: number; kind: Kind }) => Latch) => {
  const latches = new Map<string, Latch>()
  const alone = new Map<string, Set<Failing>>()

  const createLatch = (lane: string): Latch => {
    let isClosed = false
    const failuresOf = createFailures(alone.get(lane) ?? alone.set(lane, new Set()).get(lane)!)
    const latch: Latch = {
      get isClosed() {
        return isClosed
      },
      close() {
        isClosed = true
      },
      replace() {
        if (latches.get(lane) === latch) latches.delete(lane)
      },
      record: failuresOf.record,
      failsAlone: failuresOf.isAlone,
    }
    latches.set(lane, latch)
    return latch
  }

  return ({ organizationId, kind }) => {
    const lane = `${organizationId}/${kind}`
    return latches.get(lane) ?? createLatch(lane)
  }
}

/** A look-up, or a call that a chunk shares: each counts separately. */
type Failing = bigint | symbol

/** Who failed since the last answer, who of them was refused, and who with the same text as the one before. */
type Failures = {
  failed: Set<Failing>
  refused: Set<Failing>
  text: string
  alike: Set<Failing>
  /** Whether something of our own was refused: what was found in the list may be refused for good, and holds nothing alone. */
  isOurs: boolean
}

/**
 * Distinguishes what concerns a lane from what concerns one look-up, by one rule: a look-up that failed while others were
 * answered failed alone, and until it is answered it says nothing about the lane. Failures from before a hold may have been
 * the lane's, so a new latch forgets them.
 */
const createFailures = (alone: Set<Failing>): { record: Latch['record']; isAlone: Latch['failsAlone'] } => {
  const calls = new Map<string, Failures>()

  const answered = (endpoint: string, who: Failing): void => {
    if (alone.size > mostAlone) alone.clear()
    for (const failing of calls.get(endpoint)?.failed ?? []) alone.add(failing)
    calls.delete(endpoint)
    alone.delete(who)
  }

  const failed = (endpoint: string, who: Failing, failure: CallFailure, isFound: boolean): boolean => {
    if (alone.has(who)) return false
    const known = calls.get(endpoint)
    const call = known ?? { failed: new Set(), refused: new Set(), text: '', alike: new Set(), isOurs: false }
    calls.set(endpoint, call)
    call.failed.add(who)
    // Silence is left to the circuit breaker: it may be an outage, which ends sooner than a refusal. A reply about another
    // document is no refusal.
    if (failure.outcome !== 'refused' || failure instanceof OtherDocument) return false
    const text = withoutDigits(failure.reason)
    if (text !== call.text) call.alike.clear()
    call.text = text
    call.alike.add(who)
    call.refused.add(who)
    if (!isFound) call.isOurs = true
    return call.isOurs && (call.alike.size >= refusedAlike || call.refused.size >= refusedUnlike)
  }

  return {
    isAlone: (lookupId) => alone.has(lookupId),
    record(lookupId, endpoint, failure, isFound = false) {
      const who = lookupId ?? Symbol(endpoint)
      if (failure && !failure.finalState) return failed(endpoint, who, failure, isFound)
      answered(endpoint, who)
      return false
    },
  }
}

/** The registry's text without numbers that differ from document to document; the code of the answer stays. */
const withoutDigits = (message: Message): string =>
  JSON.stringify(message, (_, value) => (typeof value === 'string' ? value.replace(/\d+/g, '') : value))
