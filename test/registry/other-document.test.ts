import { expect, test } from 'vitest'
import { CallFailure } from '../../src/domain/call-failure.ts'
import type { Document } from '../../src/domain/document.ts'
import type { Registry } from '../../src/registry/create-registry.ts'
import { account, cpf, setupAgainst } from './setup.ts'

const another = '11144477735'
const cnpj = { type: 'CNPJ', number: '12ABC34501DE35' } as const
const done = { status: 'DONE', statusIndex: 'DONE', statusReport: 'DONE', summary: {} }

/** A registry whose answer is what the test sets. */
const answering = async (body: unknown, status = 200) => {
  const answer = { body }
  const t = await setupAgainst((_request, response) => void response.writeHead(status).end(JSON.stringify(answer.body)))
  return Object.assign(t, { answer })
}

const failureOf = (call: Promise<unknown>): Promise<CallFailure> =>
  call.then(
    () => expect.fail('an answer'),
    (failure) => {
      if (failure instanceof CallFailure) return failure
      throw failure
    },
  )

type Question = (registry: Registry) => Promise<unknown>

/** What each operation answers about a document, and the result of a call that was answered about another. */
const answers: [string, Question, (document: unknown) => unknown, 'unknown' | 'refused'][] = [
  [
    'generate',
    ({ analyses }) => analyses.generate(cpf, account),
    (documentNumber) => ({
      result: { documentNumber, userPlanConsumeAnalyticsId: 1, userPlanConsumeUniqueId: 2 },
      status: 'X',
    }),
    'unknown',
  ],
  [
    'consult',
    ({ analyses }) => analyses.consult({ id: '1', uniqueId: '2', document: cpf.number }, account),
    (documentNumber) => ({ success: true, register: { ...done, documentNumber } }),
    'refused',
  ],
  [
    'request a CNH',
    ({ cnh }) => cnh.request(cpf, account),
    (document) => ({ requestId: 'r', document, status: 'X', data: { categoria: 'B' } }),
    'unknown',
  ],
  [
    'read a CNH',
    ({ cnh }) => cnh.read({ id: 'r', document: cpf.number }, account),
    (document) => ({ requestId: 'r', document, status: 'X', data: { categoria: 'B' } }),
    'refused',
  ],
  [
    'find the latest CNH',
    ({ cnh }) => cnh.latest(cpf, account),
    (document) => ({ requestId: 'r', document, status: 'X', data: null }),
    'refused',
  ],
  [
    'count processes',
    ({ processes }) => processes.count(cpf, account),
    (documentNumber) => ({ success: true, total: 3, result: [{ documentNumber: cpf.number }, { documentNumber }] }),
    'refused',
  ],
  [
    'add a radar',
    ({ radars }) => radars.add({ name: 'n', code: cpf.number, type: 'CPF' }, account),
    (code) => ({ name: 'n', code, type: 'CPF' }),
    'unknown',
  ],
  ['ask for SCR', ({ scr }) => scr.indicators(cpf, account), (document) => ({ document, score: 7 }), 'refused'],
]

test.each(answers)('to %s: a reply that names another document is rejected', async (_, ask, body, outcome) => {
  await using t = await answering(body(another))
  const failure = await failureOf(ask(t.registry))
  expect(failure).toMatchObject({ name: 'OtherDocument', outcome, retryable: true })
  expect(failure.message).toMatch(/answered 200 with an answer about another document$/)
  expect(failure.message).not.toContain(another)
})

test.each(answers)('to %s: a mask, lost zeros and a numeric document make no difference', async (_, ask, body) => {
  await using t = await answering(null)
  for (const same of [cpf.number, '529.982.247-25', `000${cpf.number}`, Number(cpf.number)]) {
    t.answer.body = body(same)
    await ask(t.registry)
  }
})

test('lost zeros, lower case, a mask of stars and no document at all are not another document', async () => {
  await using t = await answering(null)
  const count = (document: Document, documentNumber: unknown) => {
    t.answer.body = { success: true, total: 3, result: [{ documentNumber }] }
    return t.registry.processes.count(document, account)
  }
  const short = { type: 'CPF', number: '00000000191' } as const
  for (const same of ['191', 191, '000.000.001-91', '***.000.001-**', null, '', 'CPF', '***', 0])
    expect(await count(short, same)).toMatchObject({ total: 3 })
  for (const same of ['12.abc.345/01de-35', '12abc34501de35'])
    expect(await count(cnpj, same)).toMatchObject({ total: 3 })
  for (const other of ['192', '***.000.002-**', cnpj.number])
    await expect(count(short, other)).rejects.toThrow('another')
})

test('the data of a licence may name other documents: only its envelope says whose it is', async () => {
  await using t = await answering({
    requestId: 'r',
    document: cpf.number,
    data: { document: another, documentNumber: '04718' },
  })
  expect(await t.registry.cnh.read({ id: 'r', document: cpf.number }, account)).toMatchObject({ ready: true })
})

test('the record of another request is rejected, whether it names a document or not', async () => {
  await using t = await answering({ requestId: 'other', data: { categoria: 'B' } })
  const failure = await failureOf(t.registry.cnh.read({ id: 'r', document: cpf.number }, account))
  expect(failure).toMatchObject({ name: 'OtherDocument', outcome: 'refused' })
})

test('a final answer about another document is not final for ours', async () => {
  await using t = await answering({ status: 'INVALID_DOCUMENT', message: 'm', document: another }, 400)
  expect(await failureOf(t.registry.cnh.request(cpf, account))).toMatchObject({ outcome: 'unknown', finalState: null })
})
