import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { advance, judgedAfterMs, sendWindowMs, type Timeouts } from '../../src/domain/advance.ts'
import { intentKinds, kinds } from '../../src/domain/kind.ts'
import { finalStates, type Lookup, openStates } from '../../src/domain/lookup.ts'
import { absent, type Outcome, outcomeOf, unproven, whileJudging, whilePaying } from '../../src/domain/outcome.ts'
import type { Message } from '../../src/messages/message.ts'
import {
  InvalidDocument,
  NotSent,
  PlanBlocked,
  Refused,
  TokenDead,
  TooManyRequests,
} from '../../src/registry/errors.ts'
import { lookupOf } from '../support/lookup.ts'

const now = new Date('2026-11-15T05:00:00Z')
const timeouts: Timeouts = {
  pollFirstMs: 2_000,
  pollMaxMs: 60_000,
  deadlineMs: 86_400_000,
  requestTimeoutMs: 30_000,
  listLagMs: 30_000,
  retries: 3,
}

const lookup = (change: Partial<Lookup> = {}): Lookup =>
  lookupOf({ deadlineAt: new Date(now.getTime() + 3_600_000), ...change })

const sending = (change: Partial<Lookup> = {}) =>
  lookup({ state: 'sending', sendingAt: now, charged: 'unknown', remote: null, ...change })

const text = fc.string({ maxLength: 20 })
const message = text.map((labels): Message => ['text', labels])
const closed: Message = ['broken', 'closed']
const wait = fc.option(fc.nat(100_000), { nil: undefined })
const remote = { id: 'x', key: null }
const lateAt = fc.constantFrom(null, now)
const charged = fc.constantFrom('yes' as const, 'unknown' as const)
const givenUp = fc.constantFrom(...finalStates.filter((state) => state !== 'unknown_outcome'))
const cause = fc.constantFrom('token' as const, 'plan' as const, 'denied' as const, 'outage' as const)
// Each has its type where it is made: checking afterwards that all of them are outcomes takes the compiler ten seconds.
const outcome = fc.oneof(
  text.map((seen): Outcome => ({ is: 'ok', answer: { total: 1 }, asOf: null, remote, seen })),
  text.map((seen): Outcome => ({ is: 'accepted', remote, seen })),
  text.map((seen): Outcome => ({ is: 'later', seen })),
  fc.tuple(givenUp, message).map(([state, reason]): Outcome => ({ is: 'given_up', state, reason })),
  fc.tuple(message, wait).map(([reason, retryAfterMs]): Outcome => ({ is: 'refused', reason, retryAfterMs })),
  fc.tuple(givenUp, message).map(([as, reason]): Outcome => ({ is: 'refused_unproven', as, reason })),
  fc.tuple(message, wait).map(([reason, retryAfterMs]): Outcome => ({ is: 'not_sent', reason, retryAfterMs })),
  fc.tuple(message, wait).map(([reason, retryAfterMs]): Outcome => ({ is: 'silence', reason, retryAfterMs })),
  fc.tuple(cause, message).map(([cause, reason]): Outcome => ({ is: 'held', cause, reason })),
  message.map((reason): Outcome => ({ is: 'put_back', reason })),
  fc.tuple(text, charged).map(([seen, charged]): Outcome => ({ is: 'adopted', remote, seen, charged })),
  lateAt.map((lateAt): Outcome => ({ is: 'absent', lateAt })),
  fc.tuple(message, lateAt).map(([reason, lateAt]): Outcome => ({ is: 'unproven', reason, lateAt })),
  message.map((reason): Outcome => ({ is: 'unjudged', reason })),
  message.map((reason): Outcome => ({ is: 'undecided', reason })),
)

describe('every open state meets every outcome', () => {
  const open = fc.record({
    kind: fc.constantFrom(...kinds),
    state: fc.constantFrom(...openStates),
    attempts: fc.nat(6),
    polls: fc.nat(50),
    overdue: fc.boolean(),
  })

  property.prop([open, outcome, fc.double({ min: 0, max: 0.999, noNaN: true })])(
    'a step is either final and never due, or due and never final',
    ({ overdue, state, kind, ...rest }, how, random) => {
      const before = lookup({
        ...rest,
        kind,
        state,
        sendingAt: state === 'sending' ? now : null,
        charged: state === 'sending' ? 'unknown' : 'no',
        deadlineAt: new Date(now.getTime() + (overdue ? -1 : 3_600_000)),
      })
      const step = advance(before, how, timeouts, now, () => random)
      expect(finalStates.some((state) => state === step.to)).toBe(step.dueAt === null)
      expect(step.from).toBe(state)
      const mayBeOthers = how.is === 'adopted' && how.charged === 'unknown' && step.to === 'waiting'
      if (!mayBeOthers) expect(step.charged === 'unknown').toBe(['sending', 'unknown_outcome'].includes(step.to))
      if (step.to === 'sending') expect(state).toBe('sending')
    },
  )
})

test('a charge that may be somebody else’s stays unknown until it is answered', () => {
  const found: Outcome = { is: 'adopted', remote: { id: 'x', key: null }, seen: 'DONE', charged: 'unknown' }
  const adopted = advance(sending({ kind: 'analysis' }), found, timeouts, now)
  expect(adopted).toMatchObject({ to: 'waiting', charged: 'unknown' })
  const waiting = lookup({ kind: 'analysis', state: 'waiting', charged: adopted.charged })
  expect(advance(waiting, { is: 'later', seen: null }, timeouts, now)).toMatchObject({ charged: 'unknown' })
  const answered: Outcome = { is: 'ok', answer: { total: 1 }, asOf: null, remote: null, seen: null }
  expect(advance(waiting, answered, timeouts, now)).toMatchObject({ to: 'ok', charged: 'unknown' })
})

test('waiting uses up no retries and backs off up to the longest wait', () => {
  const step = advance(lookup({ polls: 40, attempts: 2 }), { is: 'later', seen: 'PROCESSING' }, timeouts, now, () => 1)
  expect(step).toMatchObject({ to: 'waiting', attempts: 0, polls: 41, seen: 'PROCESSING' })
  expect(step.dueAt).toEqual(new Date(now.getTime() + 60_000))
})

test('waiting ends at the deadline with the last status seen', () => {
  const step = advance(lookup({ deadlineAt: now }), { is: 'later', seen: 'NEW_STATUS' }, timeouts, now)
  expect(step).toMatchObject({ to: 'timed_out', detail: ['last_seen', 'NEW_STATUS'] })
})

test('a purchase whose answer was lost has an unknown outcome until its own deadline has passed', () => {
  const step = advance(sending(), { is: 'silence', reason: closed, retryAfterMs: undefined }, timeouts, now)
  expect(step).toMatchObject({ to: 'sending', charged: 'unknown' })
  expect(step.dueAt).toEqual(new Date(now.getTime() + judgedAfterMs(30_000)))
  expect(judgedAfterMs(30_000)).toBeGreaterThan(sendWindowMs(30_000) + 30_000)
})

test('one list without the purchase proves nothing, the second one does, if it was read late enough', () => {
  const lateAt = new Date(now.getTime() + 60_000)
  const once = advance(sending(), absent(null), timeouts, now)
  expect(once).toMatchObject({ to: 'sending', charged: 'unknown', unlistedAt: now })
  const early = advance(sending({ unlistedAt: now }), absent(lateAt), timeouts, now)
  expect(early).toMatchObject({ to: 'sending', charged: 'unknown', unlistedAt: now, dueAt: lateAt })
  const twice = advance(sending({ unlistedAt: now }), absent(null), timeouts, now)
  expect(twice).toMatchObject({ to: 'queued', charged: 'no' })
})

test('a list that is cut is read again, late enough, and then a person decides', () => {
  const lateAt = new Date(now.getTime() + 600_000)
  const early = advance(sending(), unproven(['list_cut'], lateAt), timeouts, now)
  expect(early).toMatchObject({ to: 'sending', charged: 'unknown', dueAt: lateAt, unlistedAt: null })
  expect(advance(sending(), unproven(['list_cut'], null), timeouts, now)).toMatchObject({ to: 'sending' })
  expect(advance(sending({ attempts: 1 }), unproven(['list_cut'], null), timeouts, now)).toMatchObject({ polls: 1 })
  const late = advance(sending({ attempts: 1, polls: 1 }), unproven(['list_cut'], null), timeouts, now)
  expect(late).toMatchObject({ to: 'unknown_outcome', charged: 'unknown', dueAt: null })
})

test('a call that cannot be decided is parked, and still counts as possibly paid', () => {
  const step = advance(sending(), { is: 'undecided', reason: ['list_cut'] }, timeouts, now)
  expect(step).toMatchObject({ to: 'unknown_outcome', charged: 'unknown', dueAt: null })
})

test('a refusal costs nothing and is tried until the deadline, then fails with its reason', () => {
  const refused: Outcome = { is: 'refused', reason: ['http', 'GET /x', 429, ['too_many']], retryAfterMs: undefined }
  expect(advance(sending({ attempts: 50 }), refused, timeouts, now)).toMatchObject({ to: 'queued', charged: 'no' })
  expect(advance(sending({ deadlineAt: now }), refused, timeouts, now)).toMatchObject({
    to: 'failed',
    detail: ['http', 'GET /x', 429, ['too_many']],
  })
})

describe('a paid call that was refused', () => {
  const reason: Message = ['http', 'POST /v2/analytics', 400, 'Saldo esgotado']
  const refused = (as: Lookup['refusedAs']) => sending({ refusedAs: as, unlistedAt: now, reason })

  test('may have been charged: it stays unknown until the list was read after its lag, and so do its units', () => {
    const endpoint = 'POST /v2/analytics'
    const refusals = [
      new Refused(endpoint, 400, 'no'),
      new PlanBlocked(endpoint, 402, 'no'),
      new InvalidDocument(endpoint, 400, 'no'),
      new TooManyRequests(endpoint),
    ]
    for (const refusal of refusals) {
      const step = advance(sending(), whilePaying(outcomeOf(refusal)), timeouts, now)
      expect(step).toMatchObject({ to: 'sending', charged: 'unknown', unlistedAt: now, detail: refusal.reason })
      expect(step.dueAt!.getTime()).toBeGreaterThanOrEqual(now.getTime() + timeouts.listLagMs)
    }
  })

  test('for its token let nothing in', () => {
    const outcome = whilePaying(outcomeOf(new TokenDead(['token_refused', 'POST /v2/analytics', 401])))
    expect(advance(sending(), outcome, timeouts, now)).toMatchObject({ to: 'queued', charged: 'no' })
  })

  test('is refused for good once a list shows no purchase', () => {
    const again = advance(refused('queued'), absent(null), timeouts, now)
    expect(again).toMatchObject({ to: 'queued', charged: 'no', attempts: 1, detail: reason, refusedAs: null })
    const final = advance(refused('invalid_document'), absent(null), timeouts, now)
    expect(final).toMatchObject({ to: 'invalid_document', charged: 'no', detail: reason, refusedAs: null })
  })

  test('keeps its reason while it is judged, and is parked with it', () => {
    const lateAt = new Date(now.getTime() + 60_000)
    const unread = advance(refused('queued'), { is: 'unjudged', reason: ['list_cut'] }, timeouts, now)
    const early = advance(refused('queued'), absent(lateAt), timeouts, now)
    for (const step of [unread, early]) {
      expect(step).toMatchObject({ to: 'sending', refusedAs: 'queued', unlistedAt: now, detail: reason })
    }
    const parked = advance({ ...refused('queued'), polls: 1 }, unproven(['list_cut'], null), timeouts, now)
    expect(parked).toMatchObject({ to: 'unknown_outcome', detail: ['refused_unproven', reason], refusedAs: null })
  })
})

test('failures give up after their retries', () => {
  const silence: Outcome = { is: 'silence', reason: closed, retryAfterMs: undefined }
  expect(advance(lookup({ attempts: 2 }), silence, timeouts, now)).toMatchObject({ to: 'waiting', attempts: 3 })
  expect(advance(lookup({ attempts: 3 }), silence, timeouts, now)).toMatchObject({ to: 'failed', detail: closed })
})

test('a call that was too late to be sent costs its look-up nothing, not even a try', () => {
  const outcome = outcomeOf(new NotSent('POST /v2/analytics', ['turn_late'], { keptBack: true }))
  const step = advance(sending({ attempts: timeouts.retries }), outcome, timeouts, now)
  expect(step).toMatchObject({ to: 'queued', attempts: timeouts.retries, charged: 'no' })
})

test('only kinds that spend are charged by an answer', () => {
  for (const kind of intentKinds) {
    const step = advance(
      sending({ kind }),
      { is: 'accepted', remote: { id: 'x', key: null }, seen: null },
      timeouts,
      now,
    )
    expect(step.charged).toBe(kind === 'radar' ? 'no' : 'yes')
  }
})

property.prop([outcome])('nothing but evidence returns a look-up with an unknown outcome to the queue', (how) => {
  const step = advance(sending({ unlistedAt: now }), whileJudging(how), timeouts, now)
  if (step.to === 'queued') expect(how.is).toBe('absent')
  if (step.charged === 'no') expect(how.is).toBe('absent')
})
