import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds, spendingKinds } from '../../src/domain/kind.ts'
import { answeredStates, finalStates, openStates } from '../../src/domain/lookup.ts'
import { portfolioKinds } from '../../src/domain/portfolio.ts'
import type { Database } from '../../src/store/connect.ts'
import { keepOwned } from '../../src/store/lookups/lookups.ts'
import { openDatabase } from '../support/database.ts'

let t: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  t = await openDatabase({ max: 1 })
})
afterAll(() => t[Symbol.asyncDispose]())

test('the planner writes every rule out where it is called, over rows that a join did not find too', async () => {
  const plan = await t.sql<{ 'QUERY PLAN': string }[]>`
    explain (verbose, costs off)
    select vigia.row_outcome(r, l), vigia.shown_state(b), vigia.hold_stops(lane.cause, l.state), vigia.is_fresh(l, now()), vigia.is_bought(l, now()),
           vigia.row_message(r, l), vigia.row_charge(r, l, i), vigia.shows_answer(r),
           vigia.state_of(l.state, i.sent_at), vigia.may_pay(b), vigia.needs_approval(b.to_be_paid, b.max_spend, b.confirm_above)
      from vigia.batch_row r
      join vigia.batch b on b.id = r.batch_id
      left join vigia.lookup l on l.id = r.lookup_id and not vigia.is_shared(l, now())
      left join vigia.intent i on i.lookup_id = l.id
      left join vigia.lane on lane.organization_id = b.organization_id and lane.kind = b.kind
     where vigia.row_pays(r, l) and vigia.may_ask(b) and vigia.goes_on(b) and vigia.row_outcome(r, l) <> 'pending'`
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  const owners = await t.sql<{ 'QUERY PLAN': string }[]>`
    explain (verbose, costs off)
    select from vigia.purchase p left join vigia.lookup o on vigia.owns(o, p)`
  expect(owners.map((line) => line['QUERY PLAN']).join('\n')).not.toMatch(/owns\(/)
  expect(text).toContain('reject_reason IS NOT NULL')
  expect(text).not.toMatch(
    /(row_outcome|shown_state|hold_stops|is_fresh|is_bought|is_shared|may_ask|may_pay|may_spend|is_paid|needs_approval|goes_on|fresh_from|row_message|has_detail|is_bought_elsewhere|row_pays|row_charge|charge_of|shows_answer|state_of)\(/,
  )
})

test('an owner is found by the index of numbers', async () => {
  for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']) await t.sql.unsafe(`set enable_${way} = off`)
  const plan = await t.sql<{ 'QUERY PLAN': string }[]>`
    explain (verbose, costs off) select from vigia.purchase p left join vigia.lookup o on vigia.owns(o, p)`
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(text).toMatch(/Scan using lookup_remote[\s\S]*Index Cond: .*remote_id.*organization_id/)
})

test('a row is rejected before it is cancelled, and cancelled before its look-up counts', async () => {
  await t.sql`
    insert into vigia.lookup (organization_id, kind, question, batch_id, deadline_at, state, finished_at)
    overriding system value
    values (1, 'scr', 'a', 1, now(), 'queued', null), (1, 'scr', 'b', 1, now(), 'failed', now())`
  await t.sql`
    insert into vigia.batch_row (batch_id, line, start_at, size, lookup_id, cancelled, reject_reason)
    values (1, 2, 0, 0, null, true, 'length'), (1, 3, 0, 0, 1, true, null), (1, 4, 0, 0, 2, true, null),
           (1, 5, 0, 0, 1, false, null), (1, 6, 0, 0, 2, false, null)`
  const rows = await t.sql<{ outcome: string }[]>`
    select vigia.row_outcome(r, l) as outcome from vigia.batch_row r left join vigia.lookup l on l.id = r.lookup_id order by r.line`
  expect(rows.map(({ outcome }) => outcome)).toEqual(['rejected', 'cancelled', 'cancelled', 'pending', 'failed'])
})

test('the states that are an answer are the same here and in the database', async () => {
  const states = [...openStates, ...finalStates]
  const judged = await t.sql<{ state: string; fresh: boolean; bought: boolean }[]>`
    select l.state, vigia.is_fresh(l, '2026-11-14') as fresh, vigia.is_bought(l, '2026-11-14') as bought
      from unnest(${states}::text[]) as each (state),
           jsonb_populate_record(null::vigia.lookup, jsonb_build_object(
             'state', each.state, 'remote_id', '1', 'sending_at', '2026-11-15T02:00:00Z')) as l`
  const expected = states.map((state) => {
    const isAnswer = answeredStates.includes(state)
    return { state, fresh: isAnswer, bought: !isAnswer }
  })
  expect(judged.toSorted(byState)).toEqual(expected.toSorted(byState))
})

const byState = (a: { state: string }, b: { state: string }): number => a.state.localeCompare(b.state)
/** The kinds that a constraint lets through, of rows that have these cells beside their kind. */
const allowedBy = async (sql: Database, constraint: string, cells = ''): Promise<string[]> => {
  const [found] = await sql<{ rule: string }[]>`
    select pg_get_expr(conbin, conrelid) as rule from pg_constraint where conname = ${constraint}`
  const rows = await sql.unsafe<{ kind: string }[]>(
    `select kind from (select unnest($1::text[]) as kind ${cells}) as row where ${found!.rule}`,
    [[...kinds, 'another']],
  )
  return rows.map(({ kind }) => kind)
}

const inOrder = (names: readonly string[]): string[] => [...names].sort()

test('the tables know the kinds that the code knows, those that cost money and those that repeat', async () => {
  const allowed = async (constraint: string) => inOrder(await allowedBy(t.sql, constraint))
  expect(await allowed('batch_kind_known')).toEqual(inOrder(kinds))
  expect(await allowed('lookup_kind_known')).toEqual(inOrder(kinds))
  expect(await allowed('portfolio_kind_repeats')).toEqual(inOrder(portfolioKinds))
  expect(await allowed('list_snapshot_kind_is_paid')).toEqual(inOrder(spendingKinds))
  expect(await allowed('purchase_kind_is_paid')).toEqual(inOrder(spendingKinds))
  const paid = await t.sql<{ kind: string }[]>`
    select kind from unnest(${[...kinds]}::text[]) as kind where vigia.is_paid(kind)`
  expect(inOrder(paid.map(({ kind }) => kind))).toEqual(inOrder(spendingKinds))

  const waitWithoutPurchase = await allowedBy(
    t.sql,
    'lookup_waiting_has_a_remote',
    `, 'waiting' as state, null as remote_id`,
  )
  expect(kinds.filter((kind) => !waitWithoutPurchase.includes(kind))).toEqual(spendingKinds)
})

test('what costs money may be bought elsewhere and is kept in the purchase ledger, whichever kind it is, and nothing else', async () => {
  const made = await t.sql<{ id: bigint; kind: string; elsewhere: boolean }[]>`
    insert into vigia.lookup as l (organization_id, kind, question, batch_id, deadline_at, state, finished_at, remote_id, adopted_at)
    select 2, kind, 'a', 1, now(), 'ok', now(), '17', now() from unnest(${[...kinds]}::text[]) as kind
    returning id, kind, vigia.is_bought_elsewhere(l) as elsewhere`
  const boughtElsewhere = made.filter(({ elsewhere }) => elsewhere).map(({ kind }) => kind)
  expect(boughtElsewhere).toEqual(spendingKinds)

  const everyId = made.map(({ id }) => id)
  await keepOwned(t.sql, everyId)
  const kept = await t.sql<{ kind: string }[]>`select kind from vigia.purchase order by lookup_id`
  expect(kept.map(({ kind }) => kind)).toEqual(spendingKinds)
})
