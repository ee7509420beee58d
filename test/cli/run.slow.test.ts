import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { installHere as install } from './vigia-process.ts'

test('run processes a file to its report, and returns the same file at once', async () => {
  await using t = await install()
  const file = await t.write('clientes.csv', csvOf([...cpfs(30), cpf(0), 'junk']))

  const { exitCode, stdout, stderr } = await t.vigia('run', file, '--yes')
  expect(stderr).toMatch(/To be paid +30\n/)
  expect(stderr).toMatch(/^batch 1 clientes: done, 32 of 32 rows 30 charged$/m)
  expect(stdout).toMatch(/^Rows +32 rows: 31 ok, 1 rejected$/m)
  expect(exitCode).toBe(0)
  const report = await readFile(/^Report +(.+)$/m.exec(stdout)![1]!, 'utf8')
  expect(report.split('\n').filter((line) => line.includes(';ok;'))).toHaveLength(31)

  const again = await t.json('run', file, '--out', join(t.home, 'elsewhere'))
  expect(again).toMatchObject({ exitCode: 0, results: [{ batch: 1, repeated: true, ending: 'done', unanswered: 0 }] })
  expect(await readFile(join(t.home, 'elsewhere/clientes.report.csv'), 'utf8')).toBe(report)
  expect(t.sandbox.charges()).toBe(30)
})

test('a fixed rejects file runs alone, without the columns that were added to it', async () => {
  await using t = await install()
  const file = await t.write('clientes.csv', `nome;cpf\nAna;${cpf(0)}\nBia;12345678900\n`)
  const [first] = (await t.json('run', file, '--yes')).results as { files: { rejects: string } }[]
  const rejects = await readFile(first!.files.rejects, 'utf8')
  expect(rejects).toMatch(/^\uFEFFnome;cpf;reject_line;reject_reason;reject_detail\nBia;12345678900;3;check_digit;/)

  const fixed = await t.write('fixed.csv', rejects.replace('12345678900', cpf(1)))
  const [second] = (await t.json('run', fixed, '--yes')).results as { files: { report: string }; states: object }[]
  expect(second!.states).toEqual({ ok: 1 })
  expect(await readFile(second!.files.report, 'utf8')).toMatch(/^\uFEFFnome;cpf;result_status;.*\nBia;\d{11};ok;/)
  expect(t.sandbox.charges()).toBe(2)
})

test('a run works beside a worker, and each document is still bought once', async () => {
  await using t = await install({ concurrency: { worker: 4, fleet: 4 } }, { scenario: { latency: { generate: 10 } } })
  const worker = t.start('worker')
  await until(async () => (await t.sql`select id from vigia.worker`).length > 0, 120_000)
  const { exitCode, results } = await t.json('run', await t.write('clientes.csv', csvOf(cpfs(200))), '--yes')
  expect({ exitCode, results }).toMatchObject({ exitCode: 0, results: [{ states: { ok: 200 } }] })
  worker.child.kill('SIGTERM')
  expect((await worker.ended).exitCode).toBe(0)
  expect(t.sandbox.charges()).toBe(200)
})

test('each of several files has its own result', async () => {
  await using t = await install()
  const files = [await t.write('a.csv', csvOf(cpfs(5))), await t.write('b.csv', csvOf(cpfs(8)))]
  const { exitCode, results } = await t.json('run', ...files, '--yes')
  expect(exitCode).toBe(0)
  expect(results).toMatchObject([
    { rows: 5, states: { ok: 5 } },
    { rows: 8, states: { ok: 8 } },
  ])
  expect(t.sandbox.charges()).toBe(8)
})

test('Ctrl-C stops cleanly, and the same command resumes where it stopped', async () => {
  const latency = { generate: 20, activities: 500 }
  await using t = await install({ concurrency: { worker: 2, fleet: 2 } }, { scenario: { latency } })
  const file = await t.write('clientes.csv', csvOf(cpfs(200)))
  const first = t.start('run', file, '--json', '--yes')
  await until(async () => t.sandbox.charges() > 10, 120_000)
  first.child.kill('SIGINT')
  const { exitCode, stdout, stderr } = await first.ended
  expect(exitCode).toBe(130)
  expect(stderr).toContain('Stopped; what was paid for is kept.')
  expect(JSON.parse(stdout).results[0]).toMatchObject({ ending: 'interrupted', files: null })
  const bought = t.sandbox.charges()
  expect(bought).toBeLessThan(200)
  expect(await t.sql`select from vigia.intent`).toHaveLength(0)
  expect(JSON.parse(stdout).results[0].next).toBe(`\`vigia run ${file} --yes\` resumes where it stopped`)
  expect(await t.json('plan', file)).toMatchObject({ toBePaid: 200 - bought, repeats: { batch: 1, state: 'running' } })
  expect((await t.vigia('usage')).exitCode).toBe(0)
  expect(t.sandbox.charges()).toBe(bought)

  const { results } = await t.json('run', file, '--yes')
  expect(results).toMatchObject([{ batch: 1, repeated: true, states: { ok: 200 }, spend: { charged: 200 } }])
  expect(t.sandbox.charges()).toBe(200)
})

test('Ctrl-C before a file is submitted submits nothing', async () => {
  await using t = await install()
  const small = await t.write('small.csv', csvOf(cpfs(5)))
  const large = await t.write('large.csv', csvOf(Array.from({ length: 300_000 }, (_, i) => cpf(i % 50))))
  const { child, ended } = t.start('run', small, large, '--yes')
  child.stderr!.once('data', () => child.kill('SIGINT'))

  const { exitCode, stdout } = await ended

  expect(exitCode).toBe(130)
  expect(stdout).toContain('it was not processed and nothing was spent')
  expect(await t.sql`select id from vigia.file`).toHaveLength(0)
})

test('rows beyond --max-spend end the run with 3; a retry with a new limit asks for the rest, up to budget.perBatch', async () => {
  await using t = await install({ budget: { perDay: null, perBatch: 9, confirmAbove: null } })
  const file = await t.write('clientes.csv', csvOf(cpfs(10)))
  const first = await t.json('run', file, '--max-spend', '4')
  expect(first).toMatchObject({ exitCode: 3, results: [{ states: { ok: 4, over_budget: 6 }, unanswered: 6 }] })

  expect((await t.vigia('retry', '1')).stdout).toContain('To retry, run `vigia retry 1 --max-spend N`.')
  expect(await t.json('retry', '1')).toMatchObject({ exitCode: 3, rows: 6, toBePaid: 6, retried: 0, workers: 0 })
  expect(t.sandbox.charges()).toBe(4)
  const retried = await t.json('retry', '1', '--state', 'over_budget', '--max-spend', '10', '--yes')
  expect(retried).toMatchObject({ exitCode: 0, retried: 6 })
  const again = await t.json('run', file, '--yes')
  expect(again).toMatchObject({
    results: [{ batch: 1, states: { ok: 9, over_budget: 1 }, spend: { limit: 9, expected: 10 } }],
  })
  expect(t.sandbox.charges()).toBe(9)
})

test('a blocked plan ends the run with a partial report and what to do; once it is fixed, the same command resumes', async () => {
  await using t = await install({ concurrency: { worker: 2, fleet: 2 } })
  t.sandbox.setScenario({ plans: { [t.sandbox.account.planId]: { units: 10 } } })
  const file = await t.write('clientes.csv', csvOf(cpfs(30)))

  const held = await t.json('run', file, '--yes')
  expect(held).toMatchObject({ exitCode: 3 })
  const [result] = held.results as { files: { report: string } }[]
  expect(result).toMatchObject({
    ending: 'held',
    complete: false,
    states: { ok: 10, pending: 20 },
    hold: { lane: '7001/analysis', cause: 'plan', needsPerson: true },
    next: `have the plan extended, then \`vigia run ${file} --yes\` resumes where it stopped`,
  })
  const report = await readFile(result!.files.report, 'utf8')
  expect(report.split('\n').filter((line) => line.includes(';pending;'))).toHaveLength(20)

  expect(await t.json('run', file, '--yes')).toMatchObject({ exitCode: 3, results: [{ ending: 'held' }] })
  t.sandbox.setScenario({ plans: {} })
  expect(await t.json('run', file, '--yes')).toMatchObject({ exitCode: 0, results: [{ states: { ok: 30 } }] })
  expect(t.sandbox.charges()).toBe(30)
})

test('a run waits for an outage to end', async () => {
  await using t = await install()
  t.sandbox.setScenario({ outage: { how: 'unavailable' } })
  const file = await t.write('clientes.csv', csvOf(cpfs(20)))
  const { ended } = t.start('run', file, '--kind', 'processes', '--json')
  await until(async () => (await t.sql`select kind from vigia.lane`).length > 0, 120_000)
  t.sandbox.setScenario({ outage: null })
  const { exitCode, stdout } = await ended
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout).results).toMatchObject([{ states: { ok: 20 } }])
})

test('above confirmAbove nothing is spent without approval', async () => {
  await using t = await install({ budget: { perDay: null, perBatch: null, confirmAbove: 5 } })
  const file = await t.write('clientes.csv', csvOf(cpfs(10)))
  const refused = await t.vigia('run', file, '--max-spend', '8', '--out', 'the reports')
  expect(refused.exitCode).toBe(2)
  const again = `vigia run ${file} --max-spend 8 --out 'the reports' --yes`
  expect(refused.stdout).toContain(`it would spend up to 8 units; nothing was spent. To approve it: \`${again}\``)
  expect(await t.sql`select id from vigia.batch`).toHaveLength(0)
  expect(await t.json('run', file, '--yes')).toMatchObject({ exitCode: 0, results: [{ states: { ok: 10 } }] })
})

test('wrong usage is reported before anything is done', async () => {
  await using t = await install()
  const file = await t.write('clientes.csv', csvOf(cpfs(3)))
  const cases: [string[], number, string][] = [
    [['run', 'nowhere.csv'], 2, 'file not found: nowhere.csv'],
    [['run', file, await t.write('clientes.txt', 'cpf\n'), '--out', 'there'], 2, 'would both write clientes.report'],
    [['run', file, '--kind', 'what'], 2, '--kind takes one of analysis, cnh, scr, processes, radar, inactivation'],
    [['run', file, '--organization', '5'], 2, 'There is no organization "5"; known: 7001'],
    [['run', file, '--out', file], 2, `--out ${file} is not a writable folder`],
    [
      ['run', file, await t.write('odd.csv', 'nome\nAna\n'), await t.write('none.csv', '')],
      1,
      'none.csv: the file is empty',
    ],
    [['run', file, '--kind', 'scr', '--with-spreadsheets'], 2, '--with-spreadsheets needs --kind analysis'],
    [['batches', '--state', 'asleep'], 2, '--state takes one of importing, unconfirmed'],
    [['plan', await t.write('odd.csv', 'nome\nAna\n')], 1, 'but no column of documents'],
    [['run', await t.write('bare.csv', 'cpf;nome\n')], 2, 'bare.csv: the file has a header and no rows'],
    [['submit', await t.write('bare.csv', 'cpf;nome\n')], 2, 'bare.csv: the file has a header and no rows'],
    [
      ['plan', await t.write('foto.csv', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
      1,
      'this is an image (PNG), not text',
    ],
    [['submit', file, '--encoding', 'ebcdic'], 2, '--encoding takes same or utf8'],
    [['batch', 'x'], 2, 'expected the number of a batch'],
    [['pause', '99'], 1, "There is no batch 99: 'vigia batches' lists them"],
    [['retry', '1', '--state', 'unknown_outcome'], 2, 'a parked row must be settled first'],
    [['resolve', '1', '--line', '2'], 2, 'Choose adopt (with the number at the registry), resend or drop'],
    [['lane', 'hold', '7001/what'], 2, 'such as 7001/analysis'],
  ]
  const ended = await Promise.all(cases.map(([args]) => t.vigia(...args)))
  for (const [i, [, exitCode, message]] of cases.entries()) {
    expect(ended[i]!.stderr).toContain(message)
    expect(ended[i]!.exitCode).toBe(exitCode)
  }
})
