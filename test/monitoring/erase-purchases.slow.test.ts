import { expect, test } from 'vitest'
import { quoteFile } from '../../src/batches/quote.ts'
import type { Kind } from '../../src/domain/kind.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { purgeExpired } from '../../src/monitoring/purge-expired.ts'
import { cpf } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'

const person = cpf(7)
const day = 86_400_000

for (const kind of ['analysis', 'cnh'] as const) {
  for (const adopt of [true, false]) {
    test(`an erased person who is asked for again is not bought again: ${kind}, purchases.adopt ${adopt}`, async () => {
      let ahead = 0
      const clock = () => new Date(Date.now() + ahead)
      await using t = await setup({ clock, config: { purchases: { adopt, listLag: '200ms' } } })
      await t.finished(await t.submit(`documento\n${person}\n${cpf(8)}\n`, { kind }))
      await eraseDocument(t.tools, person, 'test')
      expect(t.sandbox.charges(person)).toBe(1)
      expect(await keysOf(t)).toHaveLength(1)
      expect(JSON.stringify(await t.sql`select p::text from vigia.purchase p`)).not.toContain(person)

      expect(await quoteOf(t, kind)).toMatchObject({ elsewhere: 1, toBePaid: 0 })
      await t.finished(await t.submit(`documento;n\n${person};2\n`, { kind }))
      expect(t.sandbox.charges(person)).toBe(1)
      const [again] = await t.sql`
        select state, charged, message, adopted_at is not null as adopted from vigia.lookup where question = ${person}`
      expect(again).toMatchObject({ state: 'ok', charged: 'no', message: ['bought_before'], adopted: true })

      await eraseDocument(t.tools, person, 'test')
      ahead = 31 * day
      await t.finished(await t.submit(`documento;n\n${person};3\n`, { kind }))
      expect(t.sandbox.charges(person)).toBe(2)
    })
  }
}

test('the key of an erased person is kept no longer than their purchase is fresh', async () => {
  await using t = await setup()
  await t.finished(await t.submit(`documento\n${person}\n`))
  await eraseDocument(t.tools, person, 'test')

  await purgeExpired({ ...t.tools, clock: () => new Date(Date.now() + 29 * day) })
  expect(await keysOf(t)).toHaveLength(1)
  await purgeExpired({ ...t.tools, clock: () => new Date(Date.now() + 31 * day) })
  expect(await keysOf(t)).toHaveLength(0)
})

const keysOf = (t: Setup) => t.sql`select from vigia.purchase where person_key is not null`

const quoteOf = (t: Setup, kind: Kind) =>
  quoteFile(t.sql, {
    open: async function* () {
      yield Buffer.from(`documento\n${person}\n`)
    },
    organizationId: t.sandbox.account.organizationId,
    kind,
    freshSince: new Date(Date.now() - 30 * day),
    bound: 1,
    adopts: false,
    maxSpend: null,
    firstLookMs: 1,
  })
