import { expect, test } from 'vitest'
import { causeOfRun } from '../../src/domain/hold-ends.ts'
import { createLatches } from '../../src/engine/latches.ts'
import { AccessDenied, NotFound, Refused, Unanswered } from '../../src/registry/errors.ts'

const lane = { organizationId: 7001, kind: 'analysis' } as const
const generate = 'POST /v2/analytics'
const consult = 'POST /v2/analytics/consult'

const noFunds = (balance: number) => new Refused(generate, 402, `Saldo de ${balance} esgotado para ***`)
const ids = (count: number, from = 1): bigint[] => Array.from({ length: count }, (_, i) => BigInt(from + i))

test('the fifth look-up in a row that is refused alike holds the lane, whatever numbers the text contains', () => {
  const latch = createLatches()(lane)
  const holds = ids(5).map((id) => latch.record(id, generate, noFunds(Number(id))))
  expect(holds).toEqual([false, false, false, false, true])
})

test.each([
  ['plan', false, 'plan'],
  ['plan', true, 'fetch_refused'],
  ['denied', true, 'denied'],
  [null, false, 'refused'],
  [null, true, 'fetch_refused'],
] as const)('a run of refusals that name %s (while fetching: %s) holds the lane for %s', (named, isFetching, cause) => {
  expect(causeOfRun(named, isFetching)).toBe(cause)
})

test('the twentieth look-up in a row that is refused holds the lane, however the words differ', () => {
  const latch = createLatches()(lane)
  const refuse = (from: number, count: number) =>
    ids(count, from).map((id) =>
      latch.record(id, generate, new Refused(generate, 402, `Pedido ${'abcd'[Number(id) % 4]}`)),
    )
  expect(refuse(1, 19)).not.toContain(true)
  latch.record(20n, generate, null)
  expect(refuse(21, 20)).toEqual([...Array(19).fill(false), true])
})

test('purchases that were found in the list and cannot be read hold nothing, until one of our own is refused like them', () => {
  const latch = createLatches()(lane)
  const refuse = (id: bigint, isFound: boolean) =>
    latch.record(id, consult, new AccessDenied(consult, 403, 'x'), isFound)
  for (const id of ids(30)) expect(refuse(id, true)).toBe(false)
  expect(refuse(31n, false)).toBe(true)
})

test('one look-up that is refused again and again holds nothing', () => {
  const latch = createLatches()(lane)
  for (let n = 0; n < 20; n++) expect(latch.record(1n, generate, noFunds(n))).toBe(false)
})

test('another text, another code and an answer begin a new run; answers of another call do not', () => {
  const latch = createLatches()(lane)
  const refuse = (from: number, count: number, failure = noFunds(1)) =>
    ids(count, from).map((id) => latch.record(id, generate, failure))
  expect(refuse(1, 4)).not.toContain(true)
  expect(refuse(5, 4, new Refused(generate, 402, 'Documento sem nome'))).not.toContain(true)
  expect(refuse(9, 4, new Refused(generate, 422, 'Documento sem nome'))).not.toContain(true)
  latch.record(13n, generate, null)
  expect(refuse(14, 4)).not.toContain(true)
  latch.record(18n, consult, null)
  expect(refuse(19, 1)).toEqual([true])
})

test('the registry’s final state of a document is an answer', () => {
  const latch = createLatches()(lane)
  for (const id of ids(4)) latch.record(id, generate, noFunds(1))
  latch.record(5n, generate, new NotFound(generate, 404, 'none'))
  expect(latch.record(6n, generate, noFunds(1))).toBe(false)
})

test('a look-up that fails while others are answered fails alone until it is answered itself', () => {
  const latch = createLatches()(lane)
  const denied = new AccessDenied(consult, 403, 'Documento restrito')
  for (const id of ids(4)) latch.record(id, consult, denied)
  latch.record(5n, consult, new Unanswered(['http', consult, 500, null]))
  expect(ids(6).filter((id) => latch.failsAlone(id))).toEqual([])
  latch.record(6n, consult, null)
  expect(ids(6).filter((id) => latch.failsAlone(id))).toEqual(ids(5))

  for (const id of ids(4)) expect(latch.record(id, consult, denied)).toBe(false)
  expect(ids(5, 7).map((id) => latch.record(id, consult, denied))).toEqual([false, false, false, false, true])
  latch.record(1n, consult, null)
  expect(latch.failsAlone(1n)).toBe(false)
})

test('look-ups that failed before a hold may have failed with the lane: the answer to a trial changes nothing for them', () => {
  const latches = createLatches()
  const latch = latches(lane)
  for (const id of ids(5)) latch.record(id, generate, noFunds(1))
  latch.replace()
  latches(lane).record(6n, generate, null)
  expect(ids(5).some((id) => latches(lane).failsAlone(id))).toBe(false)
})
