import type { Message } from '../messages/message.ts'
import { spendingKinds } from './kind.ts'
import type { Charge, FinalState, Lookup, LookupState, Remote } from './lookup.ts'
import type { Answer, Outcome, PurchaseFields } from './outcome.ts'

/** How often a kind is asked again, and for how long. */
export type Timeouts = {
  pollFirstMs: number
  pollMaxMs: number
  deadlineMs: number
  requestTimeoutMs: number
  /** How far the purchase list may lag behind what was bought. */
  listLagMs: number
  retries: number
}

/** The result of one step of a look-up: the columns that change, and a line for its history. */
export type Step = {
  id: bigint
  from: LookupState
  /** Which call of the look-up has an unknown outcome: a later one is another call. */
  sendingAt: Date | null
  to: LookupState
  dueAt: Date | null
  deadlineAt: Date
  attempts: number
  polls: number
  unlistedAt: Date | null
  refusedAs: Lookup['refusedAs']
  remote: Remote | null
  charged: Charge
  seen: string | null
  detail: Message | null
  answer: Answer | null
  asOf: Date | null
  /** What the registry reports about the purchase; null if nothing new. */
  fields: Partial<PurchaseFields> | null
  /** The look-up took over a purchase that it did not make. */
  adopted: boolean
  history: Message
  /** The step before it, if both were taken in one turn. It is written alone if the database cannot store this one. */
  before?: Step
}

/** Two steps of one turn as one. The second was taken by the look-up as the first left it. */
export const inOneTurn = (before: Step, step: Step): Step => ({
  ...step,
  from: before.from,
  sendingAt: before.sendingAt,
  before,
})

/** The look-up that a step leaves waiting for its answer. */
export const afterStep = (lookup: Lookup, { deadlineAt, attempts, polls, remote, charged }: Step): Lookup => ({
  ...lookup,
  state: 'waiting',
  unlistedAt: null,
  refusedAs: null,
  reason: null,
  deadlineAt,
  attempts,
  polls,
  remote,
  charged,
})

/**
 * The state machine: what each outcome does to a look-up in each open state. Nothing else changes a claimed look-up.
 *
 * `random` spreads the next tries, so that look-ups that waited together do not come back together.
 */
export const advance = (
  lookup: Lookup,
  outcome: Outcome,
  timeouts: Timeouts,
  now: Date,
  random = Math.random,
): Step => {
  const at = { lookup, timeouts, now, random }
  switch (outcome.is) {
    case 'ok':
      return {
        ...finish(at, 'ok', null, ['answered']),
        ...boughtIf(at, outcome),
        seen: outcome.seen,
        answer: outcome.answer,
        asOf: outcome.asOf ?? now,
        fields: outcome.answer.fields ?? null,
      }
    case 'accepted':
      return {
        ...wait(at, outcome.seen, ['accepted', outcome.seen]),
        ...boughtIf(at, outcome),
        fields: outcome.fields ?? null,
        deadlineAt: after(now, timeouts.deadlineMs),
      }
    case 'adopted':
      return {
        ...wait(at, outcome.seen, ['adopted', outcome.seen]),
        ...boughtIf(at, outcome),
        adopted: true,
        deadlineAt: after(now, timeouts.deadlineMs),
      }
    case 'later':
      return notReady(at, outcome)
    case 'given_up':
      return finish(at, outcome.state, outcome.reason, ['ended', outcome.state, outcome.reason])
    case 'refused':
      return untilDeadline(at, outcome.reason, outcome.retryAfterMs)
    case 'refused_unproven':
      return lookup.state === 'sending'
        ? refusedUnproven(at, outcome.as, outcome.reason)
        : untilDeadline(at, outcome.reason, undefined)
    case 'not_sent':
      return tryAgain(at, outcome.reason, outcome.retryAfterMs, 'not_sent')
    case 'silence':
      return lookup.state === 'sending'
        ? outcomeUnknown(at, outcome.reason)
        : tryAgain(at, outcome.reason, outcome.retryAfterMs, 'no_answer')
    case 'held':
      return { ...back(at), dueAt: now, detail: outcome.reason, history: ['held', outcome.cause, outcome.reason] }
    case 'put_back':
      return { ...back(at), dueAt: now, history: ['put_back', outcome.reason] }
    case 'absent':
      return provenAbsent(at, outcome.lateAt)
    case 'unproven':
      return unprovenYet(at, outcome.reason, outcome.lateAt)
    case 'unjudged':
      return stillUnknown(at, outcome.reason)
    case 'undecided':
      return parked(at, outcome.reason)
  }
}

/** An intent older than this is never sent: reconciliation may already have judged it. */
export const sendWindowMs = (requestTimeoutMs: number): number => Math.min(10_000, requestTimeoutMs)

/** How long after its intent a call without an answer is judged: the send window, the call's own deadline, and a margin. */
export const judgedAfterMs = (requestTimeoutMs: number): number =>
  sendWindowMs(requestTimeoutMs) + requestTimeoutMs + 1_000

/** How long after its intent a call that was processed must be in the registry's list, whatever the lag of the list. */
export const listedAfterMs = (terms: { request: { timeout: number }; purchases: { listLag: number } }): number =>
  judgedAfterMs(terms.request.timeout) + terms.purchases.listLag

/** How long after a list that lacks a purchase another is read: only two of them prove that it was never made. */
export const listsApartMs = (requestTimeoutMs: number): number => Math.max(1_000, Math.min(requestTimeoutMs, 10_000))

type At = { lookup: Lookup; timeouts: Timeouts; now: Date; random: () => number }

const unchanged = ({ lookup }: At): Step => ({
  id: lookup.id,
  from: lookup.state,
  sendingAt: lookup.sendingAt,
  to: lookup.state,
  dueAt: null,
  deadlineAt: lookup.deadlineAt,
  attempts: lookup.attempts,
  polls: lookup.polls,
  unlistedAt: lookup.unlistedAt,
  refusedAs: lookup.refusedAs,
  remote: lookup.remote,
  charged: lookup.charged,
  seen: null,
  detail: lookup.refusedAs ? lookup.reason : null,
  answer: null,
  asOf: null,
  fields: null,
  adopted: false,
  history: ['text', ''],
})

/** A call with an unknown outcome that ends without a purchase costs nothing; what was bought stays bought. */
const settled = ({ state, charged }: Lookup): Charge => (state === 'sending' && charged === 'unknown' ? 'no' : charged)

const finish = (at: At, to: FinalState, detail: Message | null, history: Message): Step => ({
  ...unchanged(at),
  to,
  refusedAs: null,
  charged: settled(at.lookup),
  detail,
  history,
})

/** A person has to decide, because it may have been bought. */
const parked = (at: At, why: Message): Step => {
  const { refusedAs, reason: refusal } = at.lookup
  const reason: Message = refusedAs && refusal ? ['refused_unproven', refusal] : why
  return { ...finish(at, 'unknown_outcome', reason, ['parked', reason]), charged: 'unknown' }
}

const pollsForAnswer = ({ state, polls }: Lookup): number => (state === 'sending' ? 0 : polls)

/** Restores the state before the step: a call that did nothing returns its look-up to the queue. */
const back = (at: At): Step => ({
  ...unchanged(at),
  to: at.lookup.state === 'sending' ? 'queued' : at.lookup.state,
  polls: pollsForAnswer(at.lookup),
  refusedAs: null,
  charged: settled(at.lookup),
})

const wait = (at: At, seen: string | null, history: Message): Step => ({
  ...unchanged(at),
  to: 'waiting',
  attempts: 0,
  polls: pollsForAnswer(at.lookup),
  unlistedAt: null,
  refusedAs: null,
  charged: settled(at.lookup),
  seen,
  dueAt: after(at.now, at.timeouts.pollFirstMs),
  history,
})

const boughtIf = (
  { lookup }: At,
  { remote, charged = 'yes' }: { remote: Remote | null; charged?: Charge },
): Pick<Step, 'remote' | 'charged'> => ({
  remote: remote ?? lookup.remote,
  charged: lookup.state === 'sending' && spendingKinds.includes(lookup.kind) ? charged : settled(lookup),
})

const notReady = (at: At, { seen, note }: { seen: string | null; note?: string | null }): Step => {
  const { lookup, now } = at
  const text = note ? `${seen}: ${note}` : seen
  const late: Message = ['last_seen', text]
  if (now >= lookup.deadlineAt) return { ...finish(at, 'timed_out', late, ['timed_out', late]), seen }
  const step = wait(at, seen, ['not_ready', text])
  return { ...step, polls: lookup.polls + 1, dueAt: soonest(backoff(at, lookup.polls), lookup.deadlineAt) }
}

const untilDeadline = (at: At, reason: Message, retryAfterMs: number | undefined): Step => {
  const { lookup, now } = at
  if (now >= lookup.deadlineAt) return finish(at, 'failed', reason, ['ended', 'failed', reason])
  const dueAt = soonest(retry(at, retryAfterMs), lookup.deadlineAt)
  return { ...back(at), attempts: lookup.attempts + 1, dueAt, detail: reason, history: ['refused', reason] }
}

const tryAgain = (at: At, reason: Message, retryAfterMs: number | undefined, code: 'not_sent' | 'no_answer'): Step => {
  const { lookup, timeouts } = at
  if (lookup.attempts >= timeouts.retries) return finish(at, 'failed', reason, ['gave_up', lookup.attempts + 1, reason])
  return { ...untilDeadline(at, reason, retryAfterMs), history: [code, reason] }
}

const outcomeUnknown = (at: At, reason: Message): Step => ({
  ...unchanged(at),
  charged: 'unknown',
  detail: reason,
  dueAt: after(at.lookup.sendingAt ?? at.now, judgedAfterMs(at.timeouts.requestTimeoutMs)),
  history: ['no_answer', reason],
})

/**
 * A paid call that was refused counts as missing from one list; the next list decides. Calls that were refused within the
 * lag of the list are judged together, by one snapshot.
 */
const refusedUnproven = (at: At, as: NonNullable<Lookup['refusedAs']>, reason: Message): Step => ({
  ...unchanged(at),
  charged: 'unknown',
  unlistedAt: at.now,
  refusedAs: as,
  detail: reason,
  dueAt: nextMultiple(after(at.now, at.timeouts.listLagMs), at.timeouts.listLagMs),
  history: ['refused', reason],
})

/** The list shows no purchase: the refusal stands. */
const refusalStands = (at: At, as: NonNullable<Lookup['refusedAs']>): Step => {
  const reason = at.lookup.reason ?? ['no_reason']
  if (as !== 'queued') return finish(at, as, reason, ['ended', as, reason])
  return { ...untilDeadline(at, reason, undefined), unlistedAt: null }
}

/** The list proved nothing this time: it is read again after ever longer waits, and the call is parked at the deadline. */
const stillUnknown = (at: At, reason: Message): Step => {
  const { lookup, now } = at
  if (now >= lookup.deadlineAt) return parked(at, reason)
  const dueAt = soonest(backoff(at, lookup.attempts), lookup.deadlineAt)
  const step = {
    ...unchanged(at),
    attempts: lookup.attempts + 1,
    dueAt,
    history: ['not_judged', reason] satisfies Message,
  }
  return lookup.refusedAs ? step : { ...step, detail: reason }
}

/** A list may lag behind. Only a second complete list without the purchase, read late enough, proves that it was never made. */
const provenAbsent = (at: At, lateAt: Date | null): Step => {
  const { lookup, now, timeouts } = at
  if (lookup.refusedAs && lateAt === null) return refusalStands(at, lookup.refusedAs)
  if (lookup.unlistedAt && lateAt === null) {
    return {
      ...back(at),
      unlistedAt: null,
      dueAt: now,
      attempts: lookup.attempts + 1,
      history: ['absent'],
    }
  }
  const again = after(now, listsApartMs(timeouts.requestTimeoutMs))
  const unlistedAt = lookup.refusedAs ? lookup.unlistedAt : now
  const step = { ...unchanged(at), unlistedAt, dueAt: latest(again, lateAt) }
  return { ...step, history: ['absent_once'] }
}

/**
 * A list that is not complete is read once more, late enough to have shown the purchase, and then a person decides. While
 * the outcome of a call is unknown, its polls count the lists that proved nothing; a list that could not be read does not
 * count.
 */
const unprovenYet = (at: At, reason: Message, lateAt: Date | null): Step => {
  const step = stillUnknown(at, reason)
  if (lateAt === null && at.lookup.polls > 0) return parked(at, reason)
  return { ...step, polls: at.lookup.polls + 1, dueAt: step.dueAt && latest(step.dueAt, lateAt) }
}

const retry = (at: At, retryAfterMs: number | undefined): Date =>
  retryAfterMs === undefined ? backoff(at, at.lookup.attempts) : after(at.now, retryAfterMs)

/** Doubles the wait up to the longest, and takes a random moment in its upper half. */
const backoff = ({ timeouts, now, random }: At, times: number): Date => {
  const longest = Math.min(timeouts.pollMaxMs, timeouts.pollFirstMs * 2 ** Math.min(times, 30))
  return after(now, longest / 2 + (longest / 2) * random())
}

const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms)
const nextMultiple = (moment: Date, ms: number): Date =>
  ms > 0 ? new Date(Math.ceil(moment.getTime() / ms) * ms) : moment
const soonest = (one: Date, other: Date): Date => (other < one ? other : one)
const latest = (one: Date, other: Date | null): Date => (other && other > one ? other : one)
