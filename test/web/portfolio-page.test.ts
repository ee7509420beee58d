import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inEnglish, inPortuguese, type Message } from '../../src/messages/message.ts'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { pauseRuns, syncPortfolio } from '../../src/portfolios/keep-portfolio.ts'
import { takeRunFurther } from '../../src/portfolios/run-portfolio.ts'
import { triggerPortfolios } from '../../src/schedule/start-schedules.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { deleteSweeps } from '../../src/store/people/purge.ts'
import { recordRunBatch } from '../../src/store/portfolios/runs.ts'
import { listSweeps } from '../../src/store/radars/sweeps.ts'
import { call } from '../cli/call.ts'
import { addList, ageByMonth, run, trigger } from '../portfolios/runs.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupWeb, sharedWeb } from './setup.ts'

const t = await sharedWeb({ config: { import: { maxRejectShare: 0.5 } } })
const token = await t.operator('ops')

/** Begins the runs that are due, which no worker takes further. */
const beginRuns = () => triggerPortfolios({ ...t.tools, enqueue: async () => {} })

test('a portfolio that is paused while it runs says so on its page, and is resumed there', async () => {
  await addList(t, 'Clients', cpfs(2))
  await beginRuns()
  await pauseRuns(t.sql, 'clients', { by: 'test', now: t.tools.clock() })

  const read = () => t.page('/portfolios/Clients', token)
  expect(await read()).toContain('running, then paused')
  expect((await t.post('/portfolios/Clients/resume', token)).status).toBe(303)
  expect(await read()).not.toContain('then paused')
})

test('a portfolio takes a span in any unit by command and form alike, and has a page even if its name came with spaces', async () => {
  const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'silent' }
  const file = join(t.home, 'list.csv')
  await writeFile(file, csvOf(cpfs(2)))
  const added = await call(['portfolio', 'add', ' Typed ', file, '--every', '90m'], env)
  expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('every 90 min') })
  const fields = { name: ' Sent ', every: '90m' }
  const sent = await t.upload('/api/portfolios', token, ['list.csv', csvOf(cpfs(2))], fields)
  expect(await sent.json()).toMatchObject({ name: 'Sent', everySeconds: 5_400 })

  for (const name of ['Typed', 'Sent']) {
    expect(await t.page(`/portfolios/${name}`, token)).toContain('90 min')
  }
  await expect(addList(t, 'Clients ', cpfs(2))).rejects.toThrow('A portfolio has a name')
})

test('the reason of a failed run is shown in the reader’s language, or as written if an earlier version wrote it', async () => {
  const rejected = await t.submit('documento\njunk\nrubbish\n')
  await until(async () => (await readBatch(t.sql, rejected))?.state === 'rejected')
  const problem: Message = ['many_rejects', 2, 2, 100]
  for (const [at, name] of ['Empty', 'Refused', 'Gone'].entries()) await addList(t, name, [cpf(at + 1)])
  await eraseDocument(t.tools, cpf(1), 'test')
  await beginRuns()
  const runs = await t.sql<{ id: bigint; name: string }[]>`
    select s.id, p.name from vigia.sweep s join vigia.portfolio p on p.id = s.portfolio_id`
  const runOf = (name: string) => runs.find((run) => run.name === name)!.id
  await recordRunBatch(t.sql, runOf('Refused'), rejected)
  await recordRunBatch(t.sql, runOf('Gone'), 999n)
  for (const name of ['Empty', 'Refused', 'Gone']) await takeRunFurther(t.tools, runOf(name))

  const read = (name: string, language: string) => t.page(`/portfolios/${name}`, token, language)
  expect(await read('Empty', 'pt-BR')).toContain('a carteira não tem documentos')
  expect(await read('Empty', 'en')).toContain('it has no documents')
  expect(await read('Refused', 'pt-BR')).toContain(inPortuguese(problem))
  expect(await read('Gone', 'pt-BR')).toContain('o lote não existe mais')
  const { lastRuns } = await t.json('/api/portfolios/refused', token)
  expect(lastRuns).toMatchObject([{ state: 'failed', reason: inEnglish(problem) }])
})

test('the first finished run is called the first, and none after it, even if no earlier one is stored', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const shown = async () => {
    const { lastRuns } = await t.json('/api/portfolios/clients', token)
    return { lastRuns, isBaseline: (await t.page('/portfolios/Clients', token)).includes('This run is the baseline') }
  }
  await addList(t, 'Clients', [cpf(9)])
  await eraseDocument(t.tools, cpf(9), 'test')
  expect(await trigger(t)).toBe(1)
  await until(async () => (await listSweeps(t.sql, { limit: 1 }))[0]?.state === 'failed')
  const open = async function* () {
    yield Buffer.from(csvOf(cpfs(2)))
  }
  await syncPortfolio(t.sql, { name: 'clients', open }, { by: 'test', now: t.tools.clock() })
  await ageByMonth(t)
  await run(t)
  const [first, failed] = [
    { state: 'done', first: true, differences: {} },
    { state: 'failed', first: null },
  ]
  expect(await shown()).toMatchObject({ lastRuns: [first, failed], isBaseline: true })
  expect(await t.sql`select from vigia.change`).toHaveLength(0)

  await ageByMonth(t)
  const now = t.tools.clock()
  expect(await deleteSweeps(t.sql, { radars: now, others: now })).toBe(2)
  t.sandbox.plantChange(cpf(1), { figures: { RISK_WORKER: { count: 7, cents: 5_000_00 } } })
  await run(t)
  expect(await shown()).toMatchObject({ lastRuns: [{ state: 'done', first: false, changed: 1 }], isBaseline: false })
})
