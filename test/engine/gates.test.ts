import { expect, test } from 'vitest'
import { createGates } from '../../src/engine/gates.ts'
import { AccessDenied, NotFound, Refused, Unanswered } from '../../src/registry/errors.ts'

const lane = { organizationId: 7001, kind: 'analysis' } as const
const generate = 'POST /v2/analytics'
const consult = 'POST /v2/analytics/consult'

const noFunds = (balance: number) => new Refused(generate, 402, `Saldo de ${balance} esgotado para ***`)
const ids = (count: number, from = 1): bigint[] => Array.from({ length: count }, (_, i) => BigInt(from + i))

test('the fifth look-up in a row that is refused alike holds the lane, whatever numbers the words hold', () => {
  const gate = createGates()(lane)
  const holds = ids(5).map((id) => gate.record(id, generate, noFunds(Number(id))))
  expect(holds).toEqual([false, false, false, false, true])
})

test('one look-up that is refused again and again holds nothing', () => {
  const gate = createGates()(lane)
  for (let n = 0; n < 20; n++) expect(gate.record(1n, generate, noFunds(n))).toBe(false)
})

test('other words, another code and an answer begin a new run; answers of another call do not', () => {
  const gate = createGates()(lane)
  const refuse = (from: number, count: number, failure = noFunds(1)) =>
    ids(count, from).map((id) => gate.record(id, generate, failure))
  expect(refuse(1, 4)).not.toContain(true)
  expect(refuse(5, 4, new Refused(generate, 402, 'Documento sem nome'))).not.toContain(true)
  expect(refuse(9, 4, new Refused(generate, 422, 'Documento sem nome'))).not.toContain(true)
  gate.record(13n, generate, null)
  expect(refuse(14, 4)).not.toContain(true)
  gate.record(18n, consult, null)
  expect(refuse(19, 1)).toEqual([true])
})

test('the registry’s last word about a document is an answer', () => {
  const gate = createGates()(lane)
  for (const id of ids(4)) gate.record(id, generate, noFunds(1))
  gate.record(5n, generate, new NotFound(generate, 404, 'none'))
  expect(gate.record(6n, generate, noFunds(1))).toBe(false)
})

test('who fails while others are answered fails alone until it is answered itself', () => {
  const gate = createGates()(lane)
  const denied = new AccessDenied(consult, 403, 'Documento restrito')
  for (const id of ids(4)) gate.record(id, consult, denied)
  gate.record(5n, consult, new Unanswered(['http', consult, 500, null]))
  expect(ids(6).filter((id) => gate.failsAlone(id))).toEqual([])
  gate.record(6n, consult, null)
  expect(ids(6).filter((id) => gate.failsAlone(id))).toEqual(ids(5))

  for (const id of ids(4)) expect(gate.record(id, consult, denied)).toBe(false)
  expect(ids(5, 7).map((id) => gate.record(id, consult, denied))).toEqual([false, false, false, false, true])
  gate.record(1n, consult, null)
  expect(gate.failsAlone(1n)).toBe(false)
})

test('who failed before a hold may have failed with the lane: the answer to a trial does not set them apart', () => {
  const gates = createGates()
  const gate = gates(lane)
  for (const id of ids(5)) gate.record(id, generate, noFunds(1))
  gate.replace()
  gates(lane).record(6n, generate, null)
  expect(ids(5).some((id) => gates(lane).failsAlone(id))).toBe(false)
})
