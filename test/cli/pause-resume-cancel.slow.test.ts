import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { type Installed, installHere as install } from './vigia-process.ts'

const stateOf = async (t: Installed): Promise<string> =>
  (await t.sql<{ state: string }[]>`select state from vigia.batch where id = 1`)[0]!.state

test('plan quotes a file and stores nothing', async () => {
  await using t = await install()
  const file = await t.write('clientes.csv', csvOf([...cpfs(3), '123']))
  const { exitCode, stdout } = await t.vigia('plan', file)
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^To be paid +3$/m)
  expect(stdout).toMatch(/^Read as +utf-8, ";" between columns, asked about: column "documento"$/m)
  expect(await t.json('plan', file, '--kind', 'scr')).toMatchObject({ rows: 4, rejected: 1, toBeAsked: 3, toBePaid: 0 })
  expect(await t.sql`select id from vigia.file`).toHaveLength(0)
})

test('submit shows that no worker is running; a worker that starts then finishes the file, and stops cleanly', async () => {
  await using t = await install()
  const file = await t.write('clientes.csv', csvOf(cpfs(5)))
  const submitted = await t.vigia('submit', file)
  expect(submitted.exitCode).toBe(0)
  expect(submitted.stdout).toMatch(/^Batch 1\n.*vigia batch 1 --watch.*\nNo worker is running/)

  const worker = t.start('worker', '--json')
  const watched = await t.json('batch', '1', '--watch')
  expect(watched).toMatchObject({ exitCode: 0, state: 'done', states: { ok: 5 }, workers: 1 })
  expect(await t.json('submit', file)).toMatchObject({ batch: 1, repeated: true, workers: 1 })
  worker.child.kill('SIGTERM')
  const { exitCode, stdout } = await worker.ended
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ organizations: [7001] })
})

test('a batch needs approval, is paused, resumed and cancelled, and every action is in the audit log', async () => {
  await using t = await install(
    { budget: { perDay: null, perBatch: null, confirmAbove: 5 } },
    { readyAfterMs: 3_600_000 },
  )
  await t.vigia('submit', await t.write('clientes.csv', csvOf(cpfs(10))))
  const worker = t.start('worker')
  await until(async () => (await stateOf(t)) === 'unconfirmed', 120_000)
  expect((await t.vigia('batch', '1')).stdout).toContain('`vigia confirm 1` approves it')

  expect(await t.json('confirm', '1')).toMatchObject({ exitCode: 0, state: 'running' })
  await until(async () => t.sandbox.charges() === 10, 120_000)
  expect(await t.json('pause', '1')).toMatchObject({ exitCode: 0, state: 'paused' })
  expect((await t.vigia('pause', '1')).exitCode).toBe(1)
  expect(await t.json('resume', '1')).toMatchObject({ state: 'running' })
  expect(await t.json('cancel', '1')).toMatchObject({ state: 'cancelled', open: 10 })
  t.sandbox.setScenario({ readyAfterMs: 0 })
  expect(await t.json('batch', '1', '--watch')).toMatchObject({ exitCode: 0, state: 'cancelled', states: { ok: 10 } })
  worker.child.kill('SIGTERM')
  await worker.ended

  const { entries } = await t.json('audit')
  const what = (entries as { what: string; subject: string }[]).map((entry) => `${entry.what} ${entry.subject}`)
  expect(what).toEqual(['cancel', 'resume', 'pause', 'confirm', 'submit'].map((action) => `${action} batch 1`))
  expect((await t.vigia('audit', '--limit', '1')).stdout).toMatch(/cancel +batch 1/)
})

test('export writes the three files at any time, in the requested encoding', async () => {
  await using t = await install()
  const file = await t.write('clientes.csv', Buffer.from(`nome;cpf\r\nJo\xe3o;${cpf(1)}\r\n`, 'latin1'))
  await t.vigia('run', '--yes', file)
  const { exitCode, files } = await t.json('export', '1', '--out', 'there', '--encoding', 'same')
  expect(exitCode).toBe(0)
  const report = await readFile((files as { report: string }).report)
  expect(report.toString('latin1')).toMatch(/^nome;cpf;result_status.*\r\nJo\xe3o;/)
  expect((await t.vigia('export', '1')).stdout).toMatch(/^Report +.*outbox\/clientes\.1\/clientes\.report\.csv$/m)
})

test('a lane is held and resumed by hand', async () => {
  await using t = await install()
  expect((await t.vigia('lanes')).stdout).toBe('No lane is held.\n')
  expect((await t.vigia('lane', 'hold', '7001/cnh', '--reason', 'contract')).exitCode).toBe(0)
  expect((await t.json('lanes')).held).toMatchObject([{ lane: '7001/cnh', cause: 'operator', detail: 'contract' }])
  expect((await t.vigia('lanes')).stdout).toMatch(/^7001\/cnh +operator .*contract$/m)

  const file = await t.write('clientes.csv', csvOf(cpfs(3)))
  const held = await t.vigia('run', '--yes', file, '--kind', 'cnh')
  expect(held.exitCode).toBe(3)
  expect(held.stdout).toContain('Next     `vigia lane resume 7001/cnh`, then `vigia run')
  expect(await t.json('lane', 'resume', '7001/cnh')).toEqual({ exitCode: 0, lane: '7001/cnh', held: false })
  expect((await t.vigia('lane', 'resume', '7001/cnh')).exitCode).toBe(1)
  expect(await t.json('run', '--yes', file, '--kind', 'cnh')).toMatchObject({ exitCode: 0 })
})

test('a parked row is shown with its line, and settled with the id that the registry lists', async () => {
  await using t = await install()
  t.sandbox.setScenario({
    faults: [{ operation: 'generate', document: cpf(1), fault: 'closedAfter', times: 1 }],
    activities: { limit: 0 },
  })
  const file = await t.write('clientes.csv', csvOf(cpfs(3)))
  expect(await t.json('run', '--yes', file)).toMatchObject({
    exitCode: 3,
    results: [{ states: { ok: 2, unknown_outcome: 1 } }],
  })
  t.sandbox.setScenario({ activities: {} })
  expect(await t.json('batch', '1')).toMatchObject({ exitCode: 0, inDoubt: 1, parked: [{ line: 3 }] })
  expect(await t.json('batch', '1', '--watch')).toMatchObject({ exitCode: 3, inDoubt: 1 })
  expect((await t.vigia('batch', '1')).stdout).toContain('1 row parked: `vigia resolve 1 --line N`')

  const wrong = await t.vigia('resolve', '1', '--line', '3', '--adopt', '5')
  expect(wrong.stderr).toContain("The registry lists no purchase 5 of this row's document.")
  expect(wrong.exitCode).toBe(1)
  const remote = /It lists (\d+)\./.exec(wrong.stderr)![1]!
  const adopted = await t.json('resolve', '1', '--line', '3', '--adopt', remote)
  expect(adopted).toMatchObject({
    exitCode: 0,
    row: { state: 'waiting', lookup: { charged: 'yes', remoteId: remote } },
  })
  expect(await t.json('run', '--yes', file)).toMatchObject({ exitCode: 0, results: [{ states: { ok: 3 } }] })
  expect(t.sandbox.charges()).toBe(3)
})
