import { expect, test } from 'vitest'
import { connect } from '../../src/store/connect.ts'
import { readVacuumHolder } from '../../src/store/server-state.ts'
import { createDatabase } from '../support/database.ts'

test('the session whose transaction keeps old rows is named with its age, once it is old enough to matter', async () => {
  const database = await createDatabase()
  await using stack = new AsyncDisposableStack()
  stack.defer(() => database.drop())
  const sql = connect(database.url)
  stack.defer(() => sql.end())
  const reporting = connect(database.url, { max: 1, name: 'reporting tool', hasSession: true })
  stack.defer(() => reporting.end())
  const anyAge = { seconds: 0, transactions: 0 }

  await reporting.begin('isolation level repeatable read', async (tx) => {
    await tx`select from vigia.lookup`
    await sql`insert into vigia.spending_day (day, units) values ('2026-01-01', 1)`
    await sql`update vigia.spending_day set units = 2`

    expect(await readVacuumHolder(sql)).toBeNull()
    expect(await readVacuumHolder(sql, anyAge)).toMatchObject({
      what: 'session',
      name: expect.stringMatching(/^reporting tool \(\S+, pid \d+\)$/),
      transactions: expect.any(Number),
      seconds: expect.any(Number),
    })
  })
  expect((await readVacuumHolder(sql, anyAge))?.name ?? '').not.toContain('reporting tool')
})
