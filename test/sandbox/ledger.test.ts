import { expect, test } from 'vitest'
import { cpf, cpfs } from '../support/documents.ts'
import { setup, timeouts } from './ask.ts'

type NotifiedEvent = { received: number; maxInFlight: number; charges: object; requests: object[]; units: object[] }

test('records each request with its document, times, status and refusal', async () => {
  await using t = await setup()
  await t.generate(cpf(1))
  t.clock.at += 10
  await t.scr('12345678900')
  await expect.poll(() => t.sandbox.ledger.totals.inFlight, timeouts).toBe(0)

  const about = { answeredAt: expect.any(Number), outcome: 'answered', fault: null }
  expect(t.sandbox.ledger.requests).toEqual([
    {
      ...about,
      n: 1,
      operation: 'generate',
      organizationId: 7001,
      document: cpf(1),
      receivedAt: t.clock.at - 10,
      status: 201,
      refusal: null,
      workedAt: t.clock.at - 10,
    },
    {
      ...about,
      n: 2,
      operation: 'scr',
      organizationId: 7001,
      document: '12345678900',
      receivedAt: t.clock.at,
      status: 400,
      refusal: 'INVALID_DOCUMENT',
      workedAt: null,
    },
  ])
  expect(t.sandbox.ledger.counts).toMatchObject({ generate: 1, scr: 1, consult: 0 })
})

test('counts how many requests were in flight at most, without those whose callers have disconnected', async () => {
  await using t = await setup({ scenario: { faults: [{ operation: 'generate', fault: 'hang' }] } })
  const callers = new AbortController()
  const calls = Promise.allSettled(cpfs(12).map((document) => t.generate(document, callers.signal)))
  await expect.poll(() => t.sandbox.ledger.totals.inFlight, timeouts).toBe(12)
  callers.abort()
  await calls
  await expect.poll(() => t.sandbox.ledger.totals.inFlight, timeouts).toBe(0)
  await t.processCount(cpf(1))
  await expect.poll(() => t.sandbox.ledger.totals.answered, timeouts).toBe(1)
  expect(t.sandbox.ledger.totals).toMatchObject({ received: 13, worked: 13, maxInFlight: 12 })
})

test('counts every charge once, by kind and document', async () => {
  await using t = await setup()
  await Promise.all(cpfs(30).map((document) => t.generate(document)))
  await t.cnhCreate(cpf(1))
  t.sandbox.alreadyGenerated(cpf(1))
  t.sandbox.alreadyRequested(cpf(2))

  expect(t.sandbox.charges()).toBe(33)
  expect([t.sandbox.charges(cpf(1)), t.sandbox.charges(cpf(1), 'analysis'), t.sandbox.charges(cpf(2), 'cnh')]).toEqual([
    3, 2, 1,
  ])
  expect(new Set(t.sandbox.records.charges.map(({ id }) => id)).size).toBe(33)
  expect(t.sandbox.records.chargedBy.get(7001)).toBe(33)
})

test('shows its summary at /sandbox/ledger, and everything with full=1', async () => {
  await using t = await setup()
  await t.generate(cpf(1))
  await t.cnhCreate(cpf(2))
  const summary = (await t.ask<NotifiedEvent>('GET', '/sandbox/ledger')).body
  expect(summary).toMatchObject({ received: 2, charges: { total: 2, analysis: 1, cnh: 1 } })
  expect(summary).not.toHaveProperty('requests')
  const full = (await t.ask<NotifiedEvent>('GET', '/sandbox/ledger?full=1')).body
  expect(full.requests).toHaveLength(2)
  expect(full.units).toMatchObject([
    { kind: 'analysis', document: cpf(1) },
    { kind: 'cnh', document: cpf(2) },
  ])
})

test('keeps counts and charges but no requests in summary mode', async () => {
  await using t = await setup({ ledger: 'summary' })
  await Promise.all(cpfs(20).map((document) => t.generate(document)))
  expect(t.sandbox.ledger.requests).toEqual([])
  expect(t.sandbox.ledger.counts.generate).toBe(20)
  expect(t.sandbox.charges()).toBe(20)
})
