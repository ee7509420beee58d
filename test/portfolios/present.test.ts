import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { eraseDocument } from '../../src/monitoring/erase-document.ts'
import { editPortfolio, runNow } from '../../src/portfolios/keep-portfolio.ts'
import { takeRunFurther } from '../../src/portfolios/run-portfolio.ts'
import { triggerPortfolios } from '../../src/schedule/start-schedules.ts'
import { findPortfolio } from '../../src/store/portfolios/portfolios.ts'
import { listSweeps, readSweep } from '../../src/store/radars/sweeps.ts'
import { toSweepsView } from '../../src/views/sweep.ts'
import { call } from '../cli/call.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { environmentOf, setup } from '../support/setup.ts'
import { addList, run } from './runs.ts'

/** One installation, in which no day passes: no test makes the portfolio of another due. */
const t = await setup()
afterAll(() => t[Symbol.asyncDispose]())
const { sql, tools } = t
const env = { ...environmentOf(t.sandbox, t.databaseUrl, t.home), LOG_LEVEL: 'silent' }
const who = () => ({ by: 'ana', now: tools.clock() })
const day = 86_400_000

/** Begins the run that is due, but no worker hears of it; returns its number. */
const beginUnheard = async (): Promise<bigint> => {
  await triggerPortfolios({ sql, clock: tools.clock, log: tools.log, enqueue: async () => {} })
  const [sweep] = await listSweeps(sql, { name: 'portfolio', limit: 1 })
  return sweep!.id
}

test('a run is due now on demand, but not while another is under way or while the portfolio is paused', async () => {
  await addList(t, 'Sul', cpfs(2))
  await run(t)
  const { now } = who()
  await runNow(sql, 'sul', { by: 'ana', now })
  expect((await findPortfolio(sql, 'Sul'))!.dueAt!.getTime()).toBeLessThanOrEqual(now.getTime())
  await sql`update vigia.portfolio set due_at = null where name = 'Sul'`
  await expect(runNow(sql, 'Sul', who())).rejects.toThrow('under way')
  await sql`update vigia.portfolio set due_at = now(), paused_at = now() where name = 'Sul'`
  await expect(runNow(sql, 'Sul', who())).rejects.toThrow('paused')
})

test('after another kind the next run is a baseline, and a changed interval moves it', async () => {
  await addList(t, 'Norte', cpfs(2))
  await run(t)
  const before = (await findPortfolio(sql, 'Norte'))!
  await editPortfolio(sql, 'Norte', who(), { everyMs: 7 * day, kind: 'processes' })
  const after = (await findPortfolio(sql, 'Norte'))!
  expect(after).toMatchObject({ kind: 'processes', everyMs: 7 * day })
  expect(before.dueAt!.getTime() - after.dueAt!.getTime()).toBe(23 * day)
  await runNow(sql, 'Norte', who())
  const sweep = await run(t)
  expect(sweep.detail).toMatchObject({ first: true })
  expect(await sql`select from vigia.change where sweep_id = ${sweep.id}`).toEqual([])
})

test('single documents join and leave the list; an unreadable one changes nothing', async () => {
  await addList(t, 'Oeste', cpfs(2))
  await run(t)
  const wrong = editPortfolio(sql, 'Oeste', who(), { add: [cpf(5), '12'], everyMs: day })
  await expect(wrong).rejects.toThrow('not a valid CPF or CNPJ')
  expect((await findPortfolio(sql, 'Oeste'))!.everyMs).toBe(30 * day)
  await editPortfolio(sql, 'Oeste', who(), { add: [cpf(5)], drop: [cpf(0)] })
  await runNow(sql, 'Oeste', who())
  const sweep = await run(t)
  const changes = await sql`
    select document, verdict from vigia.change where sweep_id = ${sweep.id} and field = 'portfolio' order by verdict`
  expect([...changes]).toEqual([
    { document: cpf(5), verdict: 'added' },
    { document: cpf(0), verdict: 'removed' },
  ])
  await expect(editPortfolio(sql, 'Oeste', who(), { drop: cpfs(6) })).rejects.toThrow('no document')
})

test('pausing while a run is under way says that it continues and is the last, and can be undone', async () => {
  await addList(t, 'Leste', cpfs(2))
  await beginUnheard()

  expect((await call(['portfolio', 'pause', 'leste'], env)).exitCode).toBe(0)
  const shown = await call(['portfolio', 'leste'], env)
  expect(shown.stdout).toMatch(/State +running, then paused/)
  expect(shown.stdout).toMatch(/Next run +once it is resumed/)
  expect((await call(['portfolios'], env)).stdout).toMatch(/Leste .*running, then paused/)
  expect((await call(['portfolio', 'resume', 'leste'], env)).exitCode).toBe(0)
  expect(JSON.parse((await call(['portfolio', 'leste', '--json'], env)).stdout)).toMatchObject({ state: 'running' })
})

test('a run whose organization was removed from the settings ends and gives the reason', async () => {
  await addList(t, 'Gone', cpfs(2, 60))
  const charges = t.sandbox.charges()
  const id = await beginUnheard()
  await takeRunFurther({ ...tools, accounts: [] }, id)

  const { organizationId } = t.sandbox.account
  expect(await readSweep(sql, id)).toMatchObject({
    state: 'failed',
    detail: { said: ['organization_gone', organizationId] },
  })
  expect(t.sandbox.charges()).toBe(charges)
})

test('erasing a person removes them from the list, and nobody asks about them again', async () => {
  const [first, erased, last] = cpfs(3, 30) as [string, string, string]
  await addList(t, 'Erased', [first, erased, last])
  await run(t)
  await eraseDocument(tools, erased, 'test')
  const listed = await sql`
    select document from vigia.portfolio_document where document = any(${[first, erased, last]}) order by place`
  expect(listed.map(({ document }) => document)).toEqual([first, last])
})

test('the cost of a run of licences is the same figure and price among the sweeps, and is not called analyses', async () => {
  const config = join(t.home, 'prices.json')
  const unitPrice = { amount: '1.90', currency: 'BRL', cnh: { amount: '4.50', currency: 'BRL' } }
  await writeFile(config, JSON.stringify({ budget: { unitPrice } }))
  const priced = { ...env, VIGIA_CONFIG: config }
  const file = join(t.home, 'list.csv')
  await writeFile(file, csvOf(cpfs(3)))
  await call(['portfolio', 'add', 'Drivers', file, '--kind', 'cnh', '--every', '30d'], priced)
  await run(t)

  const { lastRuns } = JSON.parse((await call(['portfolio', 'drivers', '--json'], priced)).stdout)
  const paid = { cents: 3 * 450, currency: 'BRL' }
  expect(lastRuns).toMatchObject([{ spent: 3, price: paid }])
  const { sweeps } = JSON.parse((await call(['sweeps', '--limit', '1', '--json'], priced)).stdout)
  expect(sweeps).toMatchObject([{ name: 'portfolio', bought: 3, boughtKind: 'cnh', price: paid }])
  expect((await call(['sweeps'], priced)).stdout).toContain('; bought 3 driver’s licences (R$13.50)')
})

test('a run without cost does not mention purchases', async () => {
  await addList(t, 'Free', cpfs(2), 'processes')
  expect(await toSweepsView(sql, [await run(t)], null)).toMatchObject([{ bought: null, boughtKind: null, price: null }])
})
