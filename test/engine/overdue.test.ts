import { test } from 'vitest'
import { lockOverdue } from '../../src/store/lookups/overdue.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

test('a look-up that waits makes its last poll, due at the deadline, before it is overdue', async () => {
  await using t = await setup({ sandbox: { readyAfterMs: 3_600_000 } })
  await t.submit(csvOf(cpfs(1)))
  const deadline = new Date(Date.now() + 3_600_000)
  const overdueAfter = (ms: number) => lockOverdue(t.sql, new Date(deadline.getTime() + ms))
  // A poll that is under way keeps the look-up claimed, and then sets a due date of its own.
  await until(async () => {
    await t.sql`update vigia.lookup set due_at = ${deadline}, deadline_at = ${deadline} where state = 'waiting'`
    const counts = [await overdueAfter(1_000), await overdueAfter(3_000)].map(({ length }) => length)
    return String(counts) === '0,1'
  })
})
