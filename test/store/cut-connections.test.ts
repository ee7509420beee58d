import { expect, test } from 'vitest'
import { connect } from '../../src/store/connect.ts'
import { startCutProxy } from '../chaos/cut-proxy.ts'
import { createDatabase } from '../support/database.ts'

test.each([
  { hasSession: true, how: 'with a session of their own' },
  { hasSession: false, how: 'without one' },
])(
  'connections $how, cut under transactions, fail those and nothing else, and the pool keeps working',
  async ({ hasSession }) => {
    const database = await createDatabase()
    let calls = 0
    let calm = false
    await using proxy = await startCutProxy(() => {
      if (calm || ++calls % 7 > 0) return 'pass'
      return calls % 2 ? 'cutBefore' : 'cutAfter'
    })
    const sql = connect(await proxy.through(database.url), { max: 4, hasSession })
    const transaction = () =>
      sql.begin(async (tx) => {
        await tx`select 1`
        await tx`select 2`
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 120 }, transaction))
    calm = true

    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
    expect(proxy.cuts).toBeGreaterThan(10)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sql`select 3 as three`.catch(() => sql`select 3 as three`)),
    )
    expect(answers.flat()).toEqual(Array.from({ length: 20 }, () => ({ three: 3 })))
    await sql.end({ timeout: 1 })
    await database.drop()
  },
  20_000,
)
