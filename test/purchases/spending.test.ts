import { expect, test } from 'vitest'
import { isBeyondMeans, reserveForBatch, reserveForDay } from '../../src/store/purchases/spending.ts'
import { openDatabase } from '../support/database.ts'

test('workers that spend for one batch on one day wait for each other, and exceed neither limit', async () => {
  await using database = await openDatabase({ max: 20 })
  const { sql } = database
  const [batch] = await sql<{ id: bigint }[]>`
    insert into vigia.batch (organization_id, kind, source, name, state, max_spend)
    values (1, 'analysis', 'cli', 'a', 'running', 400) returning id`
  const spend = () =>
    sql.begin(async (tx) => reserveForDay(tx, '2026-11-16', await reserveForBatch(tx, batch!.id, 2), 301))
  // As the code that counts ended look-ups does: many may lock the batch like this while others spend.
  const count = () =>
    sql.begin(async (tx) => {
      await tx`select id from vigia.batch where id = ${batch!.id} for key share`
      await tx`select count(*) from vigia.batch_count`
    })
  const times = async <T>(n: number, action: () => Promise<T>): Promise<T[]> => {
    const done: T[] = []
    while (done.length < n) done.push(await action())
    return done
  }

  const counting = Promise.all(Array.from({ length: 8 }, () => times(40, count)))
  const granted = (await Promise.all(Array.from({ length: 8 }, () => times(40, spend)))).flat()
  await counting

  expect(granted.reduce((sum, units) => sum + units)).toBe(301)
  expect(granted.filter((units) => units === 1)).toHaveLength(1)
  expect(await sql`select spent from vigia.batch`).toEqual([{ spent: 400 }])
})

test('units of several batches and the day are reserved together or not at all, however many ask at once', async () => {
  await using database = await openDatabase({ max: 8 })
  const { sql } = database
  const batches = await sql<{ id: bigint }[]>`
    insert into vigia.batch (organization_id, kind, source, name, state, max_spend)
    values (1, 'analysis', 'cli', 'a', 'running', 70), (1, 'analysis', 'cli', 'b', 'running', null),
           (1, 'analysis', 'cli', 'c', 'running', 0) returning id`
  const [one, two, poor] = batches.map(({ id }) => id)
  const spend = (paying: (bigint | undefined)[]) =>
    sql`select vigia.reserve_all(${paying as bigint[]}::bigint[], '2026-11-16', 100)`.then(
      () => paying.length,
      (error) => {
        if (isBeyondMeans(error)) return 0
        throw error
      },
    )

  const groups = Array.from({ length: 60 }, (_, n) => (n % 2 ? [one, two, one] : [two, one, two]))
  const granted = await Promise.all(groups.map(spend))

  const units = granted.reduce((sum, each) => sum + each, 0)
  expect(units).toBe(99)
  expect(await sql`select sum(spent)::int as spent from vigia.batch`).toEqual([{ spent: units }])
  expect(await sql`select units from vigia.spending_day`).toEqual([{ units }])

  expect(await spend([one, poor])).toBe(0)
  expect(await spend([poor])).toBe(0)
  expect(await spend([two])).toBe(1)
  expect(await sql`select units from vigia.spending_day`).toEqual([{ units: 100 }])
})
