import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { createDatabase } from '../support/database.ts'

const run = promisify(execFile)
const program = resolve(import.meta.dirname, 'calling-process.ts')

test('four processes at 100 expiries make exactly 100 refreshes, with no failed call', async () => {
  const database = await createDatabase()
  await using sandbox = await startSandbox({ scenario: { token: { expiresAfterCalls: 50 } } })
  const { url, credentials, account } = sandbox
  const callsOf = [1_263, 1_263, 1_262, 1_262]

  const failed = await Promise.all(
    callsOf.map(async (calls) => {
      const task = JSON.stringify({ databaseUrl: database.url, url, credentials, account, calls })
      return (await run(process.execPath, [program, task])).stdout
    }),
  )

  expect(failed).toEqual(['0', '0', '0', '0'])
  const served = sandbox.ledger.requests.filter((each) => each.operation === 'processCount' && each.status === 200)
  expect(served).toHaveLength(5_050)
  expect(sandbox.ledger.counts.refresh).toBe(100)
  await database.drop()
})
