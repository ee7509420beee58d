import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { call } from './call.ts'
import { install } from './vigia-process.ts'

test('after Ctrl-C the summary shows the final charge', async () => {
  await using t = await install(
    { concurrency: { worker: 16, fleet: 16 }, request: { timeout: '30s' } },
    { scenario: { latency: { generate: 1_500 } } },
  )
  const file = await t.write('clientes.csv', csvOf(cpfs(200)))
  const run = t.start('run', file, '--yes', '--json')
  await until(async () => (await t.sql`select id from vigia.lookup where state = 'waiting'`).length > 0, 120_000)
  const open = JSON.parse((await call(['batch', '1', '--json'], t.env)).stdout).spend
  const [{ spent }] = (await t.sql`select spent from vigia.batch`) as unknown as [{ spent: number }]
  expect(open.charged + open.open).toBeLessThanOrEqual(spent)
  run.child.kill('SIGINT')
  const { stdout, exitCode } = await run.ended
  expect(exitCode).toBe(130)
  const { spend } = JSON.parse(stdout).results[0]
  expect(spend).toMatchObject({ charged: t.sandbox.charges(), open: 0 })
  const after = JSON.parse((await call(['batch', '1', '--json'], t.env)).stdout)
  expect(after.spend).toEqual(spend)
})

test('calls in progress are shown as open, not as charged', async () => {
  await using t = await install({ request: { timeout: '30s' } }, { scenario: { latency: { generate: 20_000 } } })
  const run = t.start('run', await t.write('clientes.csv', csvOf(cpfs(5))), '--yes')
  await until(async () => (await t.sql`select from vigia.intent`).length === 5, 120_000)
  const shown = await call(['batch', '1'], t.env)
  expect(shown.stdout).toMatch(/^Charged +0 of 5 expected, 5 still open$/m)
  expect(JSON.parse((await call(['batches', '--json'], t.env)).stdout).batches).toMatchObject([{ charged: 0, open: 5 }])
  run.child.kill('SIGKILL')
  await run.ended
})
