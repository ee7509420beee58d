import { expect, test } from 'vitest'
import { CallFailure } from '../../src/domain/call-failure.ts'
import { readAnalysisList } from '../../src/purchases/read-list.ts'
import { connect } from '../../src/store/connect.ts'
import { setup } from '../support/setup.ts'

test('lists of more organizations than there are connections are read without waiting for each other', async () => {
  await using t = await setup()
  const sql = connect(t.settings.databaseUrl!, { max: 4 })
  const reader = { ...t.tools, sql, requestTimeoutMs: 1_000, lagMs: 0 }
  const read = (organizationId: number) => readAnalysisList(reader, { ...t.sandbox.account, organizationId })

  const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map(read))

  expect(outcomes.filter((outcome) => outcome instanceof CallFailure)).toHaveLength(2)
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(4)
  expect(await read(t.sandbox.account.organizationId)).toBe('read')
  await sql.end({ timeout: 1 })
})
