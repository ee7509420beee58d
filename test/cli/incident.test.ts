import { expect, test } from 'vitest'
import { accounts } from '../../src/sandbox/tokens.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { installHere as install } from './vigia-process.ts'

test('the first lines show what is wrong, since when, for which batches and what to do, and no document', async () => {
  await using t = await install()
  await t.vigia('submit', await t.write(`dossie ${cpf(3)}.csv`, csvOf(cpfs(3))), '--yes')
  const noWorker =
    /^NO WORKER is running\n {2}Stops 1 batch.*: 1 dossie [*.\d-]+\.\n {2}To do: `vigia worker` starts one\.\n\n/
  const idle = (await t.vigia('batches')).stdout
  expect(idle).toMatch(noWorker)
  expect(idle).not.toContain(cpf(3))

  const now = new Date()
  await t.sql`update vigia.batch set state = 'running', rows = 3, imported_at = ${now}, started_at = ${now}`
  const lane = { organizationId: accounts[0].organizationId, kind: 'analysis' as const }
  const trialAt = new Date(now.getTime() + 60_000)
  await holdLane(t.sql, lane, { cause: 'outage', reason: ['text', 'answered 503'], trialAt }, now)
  const { stdout } = await t.vigia('batches')
  expect(stdout).toMatch(noWorker)
  const [held, meaning, todo, , head, line] = stdout.replace(noWorker, '').split('\n')
  expect(held).toMatch(
    /^HELD since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(\d+ s\): 7001\/analysis, the registry does not answer \(answered 503\)$/,
  )
  expect(meaning).toMatch(/^ {2}Stops 1 batch with 3 open rows: 1 dossie [*.\d-]+\.$/)
  expect(todo).toMatch(/^ {2}Nothing to do: it resumes by itself, tried again at \d{4}-/)
  expect(head).toMatch(/^BATCH/)
  expect(line).toMatch(/^ +1 +dossie \S+ +analysis +held/)
  expect((await t.vigia('batch', '1')).stdout).toMatch(/^State +held$/m)
  expect(await t.json('batches', '--state', 'held')).toMatchObject({
    batches: [{ batch: 1, state: 'running', shown: 'held' }],
    trouble: [{ what: 'no_worker' }, { what: 'lanes_held', cause: 'outage', todo: 'nothing', batches: [{ batch: 1 }] }],
  })
})
