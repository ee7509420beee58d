import { expect, test } from 'vitest'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { call } from './call.ts'
import { type Installed, install } from './vigia-process.ts'

const batches = (t: Installed, ...args: string[]) => call(['batches', ...args], t.env)

test('the first lines show what is held, since when, for which batches, and that it resumes by itself', async () => {
  await using t = await install()
  t.sandbox.setScenario({ outage: { how: 'unavailable' } })
  const worker = t.start('worker')
  await call(['submit', await t.write('clientes.csv', csvOf(cpfs(20))), '--kind', 'processes'], t.env)
  await until(async () => (await t.sql`select kind from vigia.lane`).length > 0, 120_000)

  const { stdout } = await batches(t)
  const [held, meaning, todo, , head, line] = stdout.split('\n')
  expect(held).toMatch(
    /^HELD since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(\d+ s\): 7001\/processes, the registry does not answer/,
  )
  expect(meaning).toMatch(/^ {2}Stops 1 batch with \d+ open rows: 1 clientes\.$/)
  expect(todo).toMatch(/^ {2}Nothing to do: it resumes by itself, tried again at \d{4}-/)
  expect(head).toMatch(/^BATCH/)
  expect(line).toMatch(/^ +1 +clientes +processes +held/)
  expect((await call(['batch', '1'], t.env)).stdout).toMatch(/^State +held$/m)

  const shown = JSON.parse((await batches(t, '--json', '--state', 'held')).stdout)
  expect(shown.batches).toMatchObject([{ batch: 1, state: 'running', shown: 'held' }])
  expect(shown.trouble).toMatchObject([
    { what: 'lanes_held', cause: 'outage', todo: 'nothing', batches: [{ batch: 1 }] },
  ])
  worker.child.kill('SIGTERM')
  await worker.ended
})

test('a batch without a worker shows that, and no document of its name', async () => {
  await using t = await install()
  await call(['submit', await t.write(`dossie ${cpf(3)}.csv`, csvOf(cpfs(3))), '--yes'], t.env)
  const idle = await batches(t)
  expect(idle.stdout).toMatch(
    /^NO WORKER is running\n {2}Stops 1 batch: 1 dossie [*.\d-]+\.\n {2}To do: `vigia worker` starts one\./,
  )
  expect(idle.stdout).not.toContain(cpf(3))
})
