import { expect, test } from 'vitest'
import { isAdoptable } from '../../src/store/purchases/adopt-bought.ts'
import { beginListRead } from '../../src/store/purchases/list-snapshots.ts'
import { recordPurchases, unownedPurchases } from '../../src/store/purchases/purchases.ts'
import { cpf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'

const shown = { key: null, dated: null, datedFrom: null, datedTo: null, status: null, deleted: false }

/** A look-up of one organization that owns number 17, and the list of another, which shows a 17 of these documents. */
const listed = async (documents: string[]) => {
  await using t = await setup()
  await t.sql`
    insert into vigia.lookup (organization_id, kind, question, batch_id, deadline_at, state, remote_id)
    overriding system value
    values (1, 'cnh', ${cpf(1)}, 1, now(), 'waiting', '17')`
  const lane = { organizationId: 2, kind: 'cnh' as const }
  const { id } = await beginListRead(t.sql, lane)
  for (const document of documents) await recordPurchases(t.sql, lane, id, [{ ...shown, id: '17', document }])
  const adoptable = await t.sql<{ document: string }[]>`
    select document from vigia.purchase p where ${isAdoptable(t.sql, new Date(0))}`
  const unowned = await unownedPurchases(t.sql, lane, documents)
  return {
    unowned: [...unowned.values()].flat().map(({ mayBeOthers }) => ({ mayBeOthers })),
    adoptable: adoptable.map(({ document }) => document),
  }
}

test('a purchase that has the number of another organization’s, of another document, is not theirs', async () => {
  expect(await listed([cpf(2)])).toEqual({ unowned: [{ mayBeOthers: false }], adoptable: [cpf(2)] })
})

test('one of the same document may be theirs: in a list that also shows others’ purchases, or if each organization has its own numbers', async () => {
  expect(await listed([cpf(1)])).toEqual({ unowned: [{ mayBeOthers: true }], adoptable: [] })
})
