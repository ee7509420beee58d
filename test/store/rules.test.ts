import { expect, test } from 'vitest'
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
    select row_outcome(r, l), shown_state(b), hold_stops(lane.cause, l.state), is_fresh(l, now()), is_bought(l, now())
      from batch_row r
      join batch b on b.id = r.batch_id
      left join lookup l on l.id = r.lookup_id and not is_shared(l, now())
      left join lane on lane.organization_id = b.organization_id and lane.kind = b.kind
     where may_ask(b) and goes_on(b) and row_outcome(r, l) <> 'pending'`
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(text).toContain('reject_reason IS NOT NULL')
  expect(text).not.toMatch(
    /(row_outcome|shown_state|hold_stops|is_fresh|is_bought|is_shared|may_ask|goes_on|fresh_from)\(/,
  )
})

test('a row is rejected before it is cancelled, and cancelled before its look-up has a say', async () => {
  await using t = await setup()
  await t.sql`
    insert into lookup (organization_id, kind, question, batch_id, deadline_at, state, finished_at)
    overriding system value
    values (1, 'scr', 'a', 1, now(), 'queued', null), (1, 'scr', 'b', 1, now(), 'failed', now())`
  await t.sql`
    insert into batch_row (batch_id, line, start_at, size, lookup_id, cancelled, reject_reason)
    values (1, 2, 0, 0, null, true, 'length'), (1, 3, 0, 0, 1, true, null), (1, 4, 0, 0, 2, true, null),
           (1, 5, 0, 0, 1, false, null), (1, 6, 0, 0, 2, false, null)`
  const rows = await t.sql<{ outcome: string }[]>`
    select row_outcome(r, l) as outcome from batch_row r left join lookup l on l.id = r.lookup_id order by r.line`
  expect(rows.map(({ outcome }) => outcome)).toEqual(['rejected', 'cancelled', 'cancelled', 'pending', 'failed'])
})
