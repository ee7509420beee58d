import { expect, test } from 'vitest'
import { connect } from '../../src/store/connect.ts'
import { reserveForBatch, reserveForDay } from '../../src/store/purchases/spending.ts'
import { createDatabase } from '../support/database.ts'

test('workers that spend for one batch on one day wait for each other, and go no further than both limits', async () => {
  const database = await createDatabase()
  const sql = connect(database.url, { max: 20 })
  const [batch] = await sql<{ id: bigint }[]>`
    insert into vigia.batch (organization_id, kind, source, name, state, max_spend)
    values (1, 'analysis', 'cli', 'a', 'running', 400) returning id`
  const spend = () =>
    sql.begin(async (tx) => reserveForDay(tx, '2026-11-16', await reserveForBatch(tx, batch!.id, 2), 301))
  // As whoever counts what ended does: many may hold the batch in this way while others spend.
  const count = () =>
    sql.begin(async (tx) => {
      await tx`select id from vigia.batch where id = ${batch!.id} for key share`
      await tx`select count(*) from vigia.batch_count`
    })
  const times = async <T>(n: number, deed: () => Promise<T>): Promise<T[]> => {
    const done: T[] = []
    while (done.length < n) done.push(await deed())
    return done
  }

  const counting = Promise.all(Array.from({ length: 8 }, () => times(40, count)))
  const granted = (await Promise.all(Array.from({ length: 8 }, () => times(40, spend)))).flat()
  await counting

  expect(granted.reduce((sum, units) => sum + units)).toBe(301)
  expect(granted.filter((units) => units === 1)).toHaveLength(1)
  expect(await sql`select spent from vigia.batch`).toEqual([{ spent: 400 }])
  await sql.end()
  await database.drop()
})
