import { test as property } from '@fast-check/vitest'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  documentFrom,
  earlierId,
  integerFrom,
  keptTerms,
  keptText,
  plainText,
  restOf,
} from '../../src/registry/loose.ts'
import { parseBody, reasonOf } from '../../src/registry/read-reply.ts'
import { documents, leakedBy, spellings } from '../security/canaries.ts'
import { account, cpf, setupAgainst } from './setup.ts'

const answering = (body: unknown) =>
  setupAgainst((_request, response) => void response.end(typeof body === 'string' ? body : JSON.stringify(body)))

const done = { status: 'DONE', statusIndex: 'DONE', statusReport: 'DONE', statusProtest: 'INITIAL' }
const ref = { id: '1', uniqueId: '2' }

test('an unknown classification is kept separately, numbers may be texts, and missing values are null', async () => {
  const summary = {
    ALL: { totalProcess: '12', vltotalProcess: '1.234,56' },
    LITIGATION: { totalProcess: 3, vltotalProcess: 1234.5 },
    ISAUTHOR: { totalProcess: 1, vltotalProcess: 1.234 },
    ISDEFENDANT_WITH_RISK: { totalProcess: 1, vltotalProcess: '1.234' },
    RISK_PROTEST: { totalProcess: 'many', vltotalProcess: null },
    RISK_OF_RAIN: { totalProcess: 1, vltotalProcess: '7' },
  }
  await using t = await answering({ success: 'true', register: { ...done, summary, isNew: 1 } })
  const { ready, summary: read } = await t.registry.analyses.consult(ref, account)

  expect(ready).toBe(true)
  expect([read?.counts[0], read?.amounts[0], read?.cents[0]]).toEqual([12, '1.234,56', 123_456n])
  expect([read?.counts[19], read?.amounts[19], read?.cents[19]]).toEqual([3, '1234.5', 123_450n])
  expect([read?.counts[5], read?.amounts[5], read?.counts[1]]).toEqual([null, null, null])
  expect([read?.cents[3], read?.cents[2]]).toEqual([123n, 123_400n])
  expect(read?.others).toEqual({ RISK_OF_RAIN: { count: 1, amount: '7' } })
})

test.each([
  ['status', 'PROCESSING'],
  ['statusIndex', 'INITIAL'],
  ['statusReport', 'done'],
  ['statusReport', undefined],
  ['status', null],
])('an analysis whose %s is %s is still waiting', async (field, status) => {
  const register = { ...done, [field]: status, summary: { ALL: { totalProcess: 1, vltotalProcess: '1' } } }
  await using t = await answering({ success: true, register })
  expect(await t.registry.analyses.consult(ref, account)).toMatchObject({ ready: false })
})

test.each([
  [3, 3],
  [' 12 ', 12],
  [2_147_483_647, 2_147_483_647],
  [3_000_000_000, null],
  ['3000000000', null],
  [1.5, null],
  ['x', null],
])('a count of %o is read as %o: a count that the database cannot hold is null', (value, count) => {
  expect(integerFrom(value)).toBe(count)
})

test('an answer about another analysis is rejected', async () => {
  await using t = await answering({ success: true, register: { ...done, summary: {}, userPlanConsumeAnalyticsId: 9 } })
  await expect(t.registry.analyses.consult(ref, account)).rejects.toThrow('another document')
})

const monthFirst = new Date('2026-01-03T02:40:00Z')

test.each([
  [1_770_000_000_000],
  ['2026-02-02T02:40:00.000Z'],
  ['2026-02-01T23:40:00'],
  ['01/02/2026 23:40:00', monthFirst],
])('reads the moment %s', async (createdAt, from = new Date(1_770_000_000_000)) => {
  await using t = await answering({ requestId: 7, status: 'X', data: null, createdAt })
  const record = await t.registry.cnh.read({ id: '7', document: cpf.number }, account)
  expect(record).toEqual({
    fields: { rest: null },
    requestId: '7',
    status: 'X',
    data: null,
    createdAt: new Date(1_770_000_000_000),
    dated: { from, to: new Date(1_770_000_000_000) },
    ready: false,
  })
})

test.each([
  ['2026-11-02T10:00:00Z', '', [false, false]],
  ['2026-11-02T10:00:00Z', '2026-11-03T10:00:00Z', [true, false]],
  ['2026-11-02T10:00:00Z', '02/11/2026', [true, false]],
  ['2026-11-02T10:00:00Z', 'yes', [true, true]],
  ['', '2026-11-03T10:00:00Z', [true, false]],
])(
  'of analyses dated %j and later, an item deleted %j deletes those that may be older',
  async (older, deletedAt, deleted) => {
    const analysis = (id: number, createdAt: string) => ({
      userPlanConsumeAnalyticsId: id,
      userPlanConsumeUniqueId: id,
      createdAt,
      status: 'DONE',
    })
    const item = {
      documentNumber: cpf.number,
      documentType: 'CPF',
      deletedAt,
      userPlanConsumeAnalytics: [analysis(1, older), analysis(2, '2026-11-20T10:00:00Z')],
    }
    await using t = await answering({ sucess: true, total: 1, from: 0, to: 1, limit: 10, result: [item] })
    const { analyses } = await t.registry.activities.list(account)
    expect(analyses.map((each) => each.deleted)).toEqual(deleted)
  },
)

test('a list of activities proves nothing where one of its documents cannot be read', async () => {
  const item = { documentType: 'CPF', userPlanConsumeUniqueId: 5, userPlanConsumeAnalytics: [] }
  const lists = [
    [{ ...item, documentNumber: 191 }],
    [{ ...item, documentNumber: '***.456.789-**' }],
    [{ ...item, documentNumber: '529.982.247-25', userPlanConsumeAnalytics: null }],
    [{ ...item, documentNumber: '52998224725', userPlanConsumeAnalytics: [{ status: 'DONE' }] }],
  ]
  const seen = []
  for (const result of lists) {
    await using t = await answering({ sucess: true, total: '1', result })
    const { complete, consumption } = await t.registry.activities.list(account)
    seen.push([complete, consumption[0]?.document])
  }
  expect(seen).toEqual([
    [true, '00000000191'],
    [false, undefined],
    [false, cpf.number],
    [false, cpf.number],
  ])
})

test('an id that came back under 500 is accepted: it was bought', async () => {
  const result = { userPlanConsumeAnalyticsId: '11', userPlanConsumeUniqueId: 12 }
  await using t = await setupAgainst((_request, response) => {
    response.writeHead(500).end(JSON.stringify({ result, status: 'OK' }))
  })
  expect(await t.registry.analyses.generate(cpf, account)).toMatchObject({ id: '11', uniqueId: '12' })
})

test('a CNH is ready when its data is an object, whatever its status says', async () => {
  await using t = await answering({ requestId: 'a', status: 'INVALID_DOCUMENT', data: { categoria: 'AB' } })
  expect(await t.registry.cnh.read({ id: 'a', document: cpf.number }, account)).toMatchObject({
    ready: true,
    data: { categoria: 'AB' },
  })
})

property.prop([fc.json()])('repairs bodies without changing any that need no repair', (text) => {
  const plain = JSON.parse(text)
  const hasOddities = /\d{16}|\\u(0000|d[89a-f])/i.test(text)
  if (!hasOddities) expect(parseBody(text)).toEqual(plain)
})

property.prop([fc.string(), fc.constantFrom('529.982.247-25', '52998224725', '12ABC34501DE35', '12.ABC.345/01DE-35')])(
  'a reason never quotes a document',
  (labels, document) => {
    expect(reasonOf({ reason: `${labels} ${document} ${labels}` })).not.toContain(document)
  },
)

property.prop([fc.integer({ min: 0, max: 99_999_999_999 })])('a CPF sent as a number gets its zeros back', (number) => {
  expect(documentFrom(number, 'CPF')).toBe(String(number).padStart(11, '0'))
})

test('a document that lost zeros is not guessed if its type is unknown', () => {
  expect(documentFrom(191, 'PJ')).toBeNull()
  expect(documentFrom(191, undefined)).toBeNull()
  expect(documentFrom('00000000191', 'PF')).toBe('00000000191')
  expect(documentFrom('00000000000191', 'PJ')).toBe('00000000000191')
})

test('text from outside loses every document, however it is written', () => {
  for (const document of documents) {
    for (const spell of spellings) {
      const masked = plainText(`the document "${spell(document)}" is not known`)
      expect(masked).toMatch(/^the document "+\*\*\*"+ is not known$/)
      expect(leakedBy(masked, { documents, secrets: [] })).toEqual([])
    }
  }
})

test('text from outside keeps everything that is not a document', () => {
  for (const text of ['AGUARDANDO2026', 'WAITING_FOR_REVIEW', 'lote 2026-11 de 1.234 itens', 'R$ 1.234.567,80'])
    expect(plainText(text)).toBe(text)
})

const none: ReadonlySet<string> = new Set()

test('what has no place of its own is kept as it was sent, and what is empty is not kept', () => {
  const sent = { named: 'x', text: 'y', zero: 0, no: false, list: [1], empty: '', nothing: null, items: [], keys: {} }
  expect(restOf(sent, new Set(['named']))).toEqual({ text: 'y', zero: 0, no: false, list: [1] })
})

test('nothing is kept where everything has its place', () => {
  expect([restOf({ a: 1 }, new Set(['a'])), restOf(null, none), restOf([1], none)]).toEqual([null, null, null])
})

test('the rest is bounded, and names what was left out', () => {
  expect(restOf({ long: 'x'.repeat(20_000), short: 'y' }, none)).toEqual({ short: 'y', leftOut: ['long'] })
  const deep = JSON.parse(`${'['.repeat(5_000)}1${']'.repeat(5_000)}`)
  expect(restOf({ deep, short: 'y' }, none)).toEqual({ short: 'y', leftOut: ['deep'] })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (sent) => {
      expect(JSON.stringify(restOf(sent, none)).length).toBeLessThan(20_000)
    }),
  )
})

test('texts are trimmed and bounded, terms are one line each, and zero names no purchase', () => {
  expect([keptText('  a '), keptText(' '), keptText(7), keptText({})]).toEqual(['a', null, '7', null])
  expect(keptText('x'.repeat(900))).toHaveLength(500)
  expect(keptTerms(['a\n b', '', null, 3, {}])).toEqual(['a b', '3'])
  expect(keptTerms('penhora')).toEqual([])
  expect([earlierId(0), earlierId('000'), earlierId(null), earlierId('12')]).toEqual([null, null, null, '12'])
})
