import { afterEach, expect, test, vi } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { environmentOf, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { call } from './call.ts'

const dayMs = 86_400_000

afterEach(() => {
  vi.useRealTimers()
})

test.each([31, 2, -2])(
  'a retry on a machine whose clock is %i days off buys nothing twice, and begins at once',
  async (days) => {
    const polling = { first: '20ms', max: '50ms', deadline: '2s' }
    const faults = [{ operation: 'consult' as const, fault: 'stuckForever' as const }]
    await using t = await setup({ config: { polling }, sandbox: { scenario: { faults } } })
    const id = await t.submit(csvOf(cpfs(5)))
    await t.finished(id)
    expect(await statesOf(t.sql, id)).toEqual({ timed_out: 5 })
    t.sandbox.setScenario({ faults: [] })

    const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'silent' }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * dayMs })
    const { stdout } = await call(['retry', String(id), '--yes', '--json'], env)
    vi.useRealTimers()

    expect(JSON.parse(stdout)).toMatchObject({ bought: 5, toBePaid: 0, retried: 5 })
    await until(async () => (await statesOf(t.sql, id)).ok === 5)
    expect(t.sandbox.charges()).toBe(5)
  },
)
