import { expect, test } from 'vitest'
import { recordPurchases, unownedPurchases } from '../../src/store/purchases/purchases.ts'
import { beginReading } from '../../src/store/purchases/readings.ts'
import { cpf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

const told = { key: null, dated: null, datedFrom: null, datedTo: null, status: null, deleted: false }

/** A look-up of one organization that owns number 17, and the list of another, which shows a 17 of these documents. */
const listed = async (documents: string[]) => {
  await using t = await setup()
  await t.sql`
    insert into vigia.lookup (organization_id, kind, question, batch_id, deadline_at, state, remote_id)
    overriding system value
    values (1, 'cnh', ${cpf(1)}, 1, now(), 'waiting', '17')`
  const lane = { organizationId: 2, kind: 'cnh' as const }
  const { id } = await beginReading(t.sql, lane)
  for (const document of documents) await recordPurchases(t.sql, lane, id, [{ ...told, id: '17', document }])
  return [...(await unownedPurchases(t.sql, lane, documents)).keys()]
}

test('a purchase that has the number of another organization’s, of another document, is not theirs', async () => {
  expect(await listed([cpf(2)])).toEqual([cpf(2)])
})

test('one of the same document is, where a list shows those of others too', async () => {
  expect(await listed([cpf(1)])).toEqual([])
})
