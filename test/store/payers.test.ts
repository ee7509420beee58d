import { fc, test as property } from '@fast-check/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assignPayers, type PayerScope } from '../../src/store/batches/payers.ts'
import type { Database, Transaction } from '../../src/store/connect.ts'
import { openDatabase } from '../support/database.ts'
import { runs } from '../support/runs.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let sql: Database

beforeAll(async () => {
  database = await openDatabase({ max: 3 })
  sql = database.sql
})

afterAll(() => database[Symbol.asyncDispose]())

type Batch = {
  id: number
  state: string
  paused: boolean
  maxSpend: number | null
  confirmAbove: number | null
  spent: number
  toBePaid: number
}
type Lookup = { id: number; payer: number; state: string; sent: boolean }
type Row = { batch: number; line: number; lookup: number; cancelled: boolean; pays: boolean }
type World = { kind: string; batches: Batch[]; lookups: Lookup[]; rows: Row[] }

const counts = [1, 2, 3, 4, 5]

const batchArb = fc.record({
  state: fc.constantFrom('running', 'running', 'running', 'importing', 'unconfirmed', 'cancelled', 'done'),
  paused: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  maxSpend: fc.option(fc.nat(6)),
  confirmAbove: fc.option(fc.nat(8)),
  spent: fc.nat(6),
  more: fc.nat(2),
})

const lookupArb = fc.record({
  payer: fc.nat(4),
  state: fc.constantFrom('queued', 'queued', 'queued', 'queued', 'waiting'),
  sent: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  /** For each batch: no row, one, two, or one that was cancelled. */
  wishes: fc.array(fc.constantFrom(0, 0, 1, 1, 2, -1), { minLength: counts.length, maxLength: counts.length }),
})

/** Any state in which batches share look-ups, whatever led there. */
const worlds = fc
  .record({
    kind: fc.constantFrom('analysis', 'analysis', 'cnh', 'processes'),
    batches: fc.array(batchArb, { minLength: 2, maxLength: counts.length }),
    lookups: fc.array(lookupArb, { minLength: 1, maxLength: 9 }),
  })
  .map(({ kind, batches, lookups }): World => {
    const payerOf = (drawn: { payer: number }) => (drawn.payer % batches.length) + 1
    const open = lookups.filter((drawn) => batches[payerOf(drawn) - 1]!.state !== 'done')
    const rows = open.flatMap(({ wishes, ...drawn }, i) =>
      batches.flatMap((_, place) => {
        const wish = wishes[place]!
        const [batch, lookup] = [place + 1, i + 1]
        const pays = batch === payerOf(drawn)
        return Array.from({ length: Math.abs(wish) }, (_row, n) => {
          return { batch, line: (i + 1) * 10 + n, lookup, cancelled: wish < 0, pays: pays && n === 0 }
        })
      }),
    )
    const own = (id: number) => open.filter((l) => payerOf(l) === id && l.state === 'queued' && !l.sent).length
    return {
      kind,
      batches: batches.map(({ more, ...batch }, i) => {
        const spent = Math.min(batch.spent, batch.maxSpend ?? 6)
        return { ...batch, id: i + 1, spent, toBePaid: kind === 'processes' ? 0 : spent + own(i + 1) + more }
      }),
      lookups: open.map((l, i) => ({
        id: i + 1,
        payer: payerOf(l),
        state: l.state,
        sent: l.sent && l.state === 'queued',
      })),
      rows,
    }
  })

const write = async (tx: Transaction, { kind, batches, lookups, rows }: World, isReversed = false): Promise<void> => {
  const inOrder = <T>(list: T[]) => tx.json((isReversed ? list.toReversed() : list) as never)
  await tx`
    insert into vigia.batch (id, organization_id, kind, source, name, state, paused_at, max_spend, confirm_above, spent,
                             to_be_paid, imported_at, finished_at)
    overriding system value
    select b.id, 7, ${kind}, 'cli', 'a', b.state, case when b.paused then now() end, b."maxSpend", b."confirmAbove", b.spent,
           b."toBePaid", now(), case when b.state = 'done' then now() end
      from json_to_recordset(${inOrder(batches)}::json) as b (
        id bigint, state text, paused boolean, "maxSpend" int, "confirmAbove" int, spent int, "toBePaid" int)`
  await tx`
    insert into vigia.lookup (id, organization_id, kind, question, batch_id, state, due_at, deadline_at, remote_id)
    overriding system value
    select l.id, 7, ${kind}, l.id::text, l.payer, l.state, now(), now(), case when l.state = 'waiting' then l.id::text end
      from json_to_recordset(${inOrder(lookups)}::json) as l (id bigint, payer bigint, state text)`
  await tx`
    insert into vigia.intent_group (lookup_ids, sent_at, judged_at)
    select array[l.id], now(), now() from json_to_recordset(${inOrder(lookups)}::json) as l (id bigint, sent boolean) where l.sent`
  await tx`
    insert into vigia.batch_row (batch_id, line, start_at, size, lookup_id, cancelled, pays)
    select r.batch, r.line, 0, 0, r.lookup, r.cancelled, r.pays
      from json_to_recordset(${inOrder(rows)}::json) as r (
        batch bigint, line int, lookup bigint, cancelled boolean, pays boolean)`
}

type After = Pick<World, 'batches'> & { lookups: { id: number; payer: number; payingRows: number }[] }

const read = async (tx: Transaction | Database): Promise<After> => ({
  batches: await tx<Batch[]>`
    select id::int, state, paused_at is not null as paused, max_spend, confirm_above, spent, to_be_paid
      from vigia.batch order by id`,
  lookups: await tx<After['lookups']>`
    select l.id::int, l.batch_id::int as payer,
           (select count(*)::int from vigia.batch_row r where r.lookup_id = l.id and vigia.row_pays(r, l)) as paying_rows
      from vigia.lookup l order by l.id`,
})

class Undone extends Error {}

/** Writes a state, runs passes over it, and reads what came of it; nothing is left behind. */
const play = async <T>(world: World, run: (tx: Transaction) => Promise<T>, isReversed = false): Promise<T> => {
  let result: T | undefined
  await sql
    .begin(async (tx) => {
      await write(tx, world, isReversed)
      result = await run(tx)
      throw new Undone()
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error
    })
  return result as T
}

const after = (scopes: (PayerScope | null)[]) => async (tx: Transaction) => {
  for (const scope of scopes) await assignPayers(tx, scope)
  return read(tx)
}

const isPaid = (kind: string) => kind !== 'processes'
const isOver = ({ state }: Batch) => state === 'cancelled' || state === 'done'
const mayPay = (kind: string, b: Batch) =>
  ['running', 'importing'].includes(b.state) &&
  !b.paused &&
  (!isPaid(kind) || b.maxSpend === null || b.spent < b.maxSpend)

/** What must hold after any pass over everything. */
const check = (world: World, { batches, lookups }: After): void => {
  const { kind, rows } = world
  const batchOf = (id: number) => batches.find((b) => b.id === id)!
  const free = world.lookups.filter(({ state, sent }) => state === 'queued' && !sent)
  for (const before of world.lookups) {
    const { payer, payingRows } = lookups.find(({ id }) => id === before.id)!
    const others = rows
      .filter((row) => row.lookup === before.id && !row.cancelled && row.batch !== payer)
      .map((row) => batchOf(row.batch))
    if (!free.includes(before) || mayPay(kind, batchOf(before.payer))) expect(payer).toBe(before.payer)
    else if (!mayPay(kind, batchOf(payer))) expect(others.filter((b) => mayPay(kind, b))).toEqual([])
    if (free.includes(before) && isOver(batchOf(payer))) expect(others.filter((b) => !isOver(b))).toEqual([])
    if (payer !== before.payer) expect(payingRows).toBe(1)
  }
  for (const b of batches) {
    const was = world.batches[b.id - 1]!
    const [has, had] = [lookups, world.lookups].map((list) => list.filter(({ payer }) => payer === b.id).length)
    expect(b.toBePaid - was.toBePaid).toBe(isPaid(kind) ? has! - had! : 0)
    const cost = Math.min(b.toBePaid, b.maxSpend ?? b.toBePaid)
    if (has! > had! && b.state === 'running' && isPaid(kind)) expect(cost).toBeLessThanOrEqual(b.confirmAbove ?? cost)
    if (b.state !== was.state) expect([was.state, b.state]).toEqual(['running', 'unconfirmed'])
  }
}

property.prop([worlds], runs(50))(
  'one pass reaches the end from any state, and a second changes nothing',
  async (world) => {
    const [once, moved, twice] = await play(world, async (tx) => {
      await assignPayers(tx)
      const first = await read(tx)
      return [first, await assignPayers(tx), await read(tx)] as const
    })
    check(world, once)
    expect(moved).toBe(0)
    expect(twice).toEqual(once)
  },
)

property.prop([worlds], runs(20))('the order in which rows were written makes no difference', async (world) => {
  expect(await play(world, after([null]), true)).toEqual(await play(world, after([null])))
})

property.prop([worlds, fc.shuffledSubarray(counts)], runs(25))(
  'passes for some batches come first in any order, and without approvals change nothing about the end',
  async (world, some) => {
    const scopes = some.map((id) => ({ batch: BigInt(id) }))
    check(world, await play(world, after([...scopes, null])))
    const free = { ...world, batches: world.batches.map((b) => ({ ...b, confirmAbove: null })) }
    expect(await play(free, after([...scopes, null]))).toEqual(await play(free, after([null])))
  },
)

property.prop([worlds], runs(10))('passes at the same time do together what one does', async (world) => {
  const alone = await play(world, after([null]))
  await sql.begin((tx) => write(tx, world))
  try {
    await Promise.all([assignPayers(sql), assignPayers(sql), assignPayers(sql)])
    await assignPayers(sql)
    const together = await read(sql)
    check(world, together)
    if (world.batches.every(({ confirmAbove }) => confirmAbove === null)) expect(together).toEqual(alone)
  } finally {
    await sql`with l as (delete from vigia.lookup), i as (delete from vigia.intent_group), r as (delete from vigia.batch_row)
              delete from vigia.batch`
  }
})

/** A batch in this state has look-ups, and a running one wants some of them. */
const twoBatches = (lookups: number[], wanted: number[], state = 'unconfirmed'): World => ({
  kind: 'analysis',
  batches: [
    { id: 1, state, paused: false, maxSpend: null, confirmAbove: 0, spent: 0, toBePaid: lookups.length },
    { id: 2, state: 'running', paused: false, maxSpend: null, confirmAbove: null, spent: 0, toBePaid: 0 },
  ],
  lookups: lookups.map((id) => ({ id, payer: 1, state: 'queued', sent: false })),
  rows: [
    ...lookups.map((lookup) => ({ batch: 1, line: lookup, lookup, cancelled: false, pays: true })),
    ...wanted.map((lookup) => ({ batch: 2, line: 2, lookup, cancelled: false, pays: false })),
  ],
})

test('a look-up that moves gets its full time again', async () => {
  const world = twoBatches([1], [1])
  const deadline = new Date(Date.now() + 3_600_000)
  const [found] = await play(world, async (tx) => {
    await assignPayers(tx, { batch: 2n }, deadline)
    return tx<{ at: Date }[]>`select deadline_at as at from vigia.lookup where batch_id = 2`
  })
  expect(found!.at).toEqual(deadline)
})

test('of a document that stands in two parts of a row, one pays', async () => {
  const world = twoBatches([1], [1])
  const parts = await play(world, async (tx) => {
    await tx`
      insert into vigia.batch_row (batch_id, line, part, start_at, size, lookup_id) values (2, 2, 1, 0, 0, 1), (2, 2, 2, 0, 0, 1)`
    await assignPayers(tx, { batch: 2n })
    return tx<{ part: number; pays: boolean }[]>`
      select part, pays from vigia.batch_row where batch_id = 2 order by part`
  })
  expect(parts.filter(({ pays }) => pays)).toEqual([{ part: 0, pays: true }])
})

test('a batch that needs approval locks only what another wants and may pay for, and one that was cancelled all that it has', async () => {
  const locked = (state: string) =>
    play(twoBatches([1, 2, 3], [2], state), async (tx) => {
      const locks = () =>
        tx<{ id: bigint; lock: string }[]>`select id, ctid || '/' || xmax as lock from vigia.lookup order by id`
      const before = await locks()
      await tx.savepoint((inner) => assignPayers(inner, { batch: 1n }))
      const after = await locks()
      return after.filter(({ lock }, index) => lock !== before[index]?.lock).map(({ id }) => id)
    })
  expect(await locked('unconfirmed')).toEqual([2n])
  expect(await locked('cancelled')).toEqual([1n, 2n, 3n])
})

const wanting = [
  ['of that sweep', { batch: 2n }],
  ['of the batch that cannot pay', { batch: 1n }],
  ['of the look-up', { lookups: [1n] }],
  ['of everything', null],
] as const

test.each(wanting)('a running sweep buys what a batch that needs approval keeps, by a pass %s', async (_, scope) => {
  const [ended, running] = await play(twoBatches([1], []), async (tx) => {
    await tx`
      insert into vigia.sweep (id, name, slot, trigger, state) overriding system value
      values (1, 'radars', 'night', 'schedule', 'done')`
    await tx`update vigia.batch set sweep_id = 1 where id = 2`
    await tx`
      insert into vigia.snapshot (sweep_id, organization_id, document, analysis_lookup_id) values (1, 7, '1', 1)`
    await assignPayers(tx, scope as PayerScope | null)
    const first = await read(tx)
    await tx`update vigia.sweep set state = 'running'`
    await assignPayers(tx, scope as PayerScope | null)
    return [first, await read(tx)] as const
  })
  expect(ended.lookups).toMatchObject([{ payer: 1 }])
  expect(running.lookups).toMatchObject([{ payer: 2 }])
  expect(running.batches).toMatchObject([{ toBePaid: 0 }, { state: 'running', toBePaid: 1 }])
})
