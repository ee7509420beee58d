import { expect, test } from 'vitest'
import { answeredStates, finalStates, openStates } from '../../src/domain/lookup.ts'
import { connect } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'

const setup = async () => {
  const database = await createDatabase()
  const sql = connect(database.url, { max: 1 })
  return {
    sql,
    async [Symbol.asyncDispose]() {
      await sql.end()
      await database.drop()
    },
  }
}

test('the planner writes every rule out where it is called, over rows that a join did not find too', async () => {
  await using t = await setup()
  const plan = await t.sql<{ 'QUERY PLAN': string }[]>`
    explain (verbose, costs off)
    select vigia.row_outcome(r, l), vigia.shown_state(b), vigia.hold_stops(lane.cause, l.state), vigia.is_fresh(l, now()), vigia.is_bought(l, now()),
           vigia.row_detail(r, l), vigia.row_said(r, l), vigia.row_charge(r, l, i)
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
    /(row_outcome|shown_state|hold_stops|is_fresh|is_bought|is_shared|may_ask|goes_on|fresh_from|row_detail|row_said|has_detail|is_bought_elsewhere|row_pays|row_charge|charge_of)\(/,
  )
})

test('an owner is found by the index of numbers', async () => {
  await using t = await setup()
  for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']) await t.sql.unsafe(`set enable_${way} = off`)
  const plan = await t.sql<{ 'QUERY PLAN': string }[]>`
    explain (verbose, costs off) select from vigia.purchase p left join vigia.lookup o on vigia.owns(o, p)`
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(text).toMatch(/Scan using lookup_remote[\s\S]*Index Cond: .*remote_id.*organization_id/)
})

test('a row is rejected before it is cancelled, and cancelled before its look-up has a say', async () => {
  await using t = await setup()
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
  await using t = await setup()
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
