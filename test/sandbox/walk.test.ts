import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { operationNames } from '../../src/sandbox/operations.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/sandbox.md'), 'utf8')
const hasCurl = spawnSync('curl', ['--version']).status === 0

test.skipIf(!hasCurl)('the walk in docs/sandbox.md calls all 12 operations, and every one answers', async () => {
  await using sandbox = await startSandbox({ readyAfterMs: 10 })
  const walk = /```sh\n(registry=[\s\S]+?)```/.exec(page)![1]!
  const script = walk.replace('http://127.0.0.1:4010', sandbox.url).replaceAll('sleep 2', 'sleep 0.02')
  await promisify(execFile)('bash', ['-euc', script])

  const { counts, statuses } = sandbox.ledger
  expect(operationNames.filter((operation) => !counts[operation])).toEqual([])
  expect(Object.keys(statuses).filter((status) => !status.startsWith('2'))).toEqual([])
  expect(sandbox.records.charges).toHaveLength(2)
})
