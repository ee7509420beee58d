import { expect, test } from 'vitest'
import { editPortfolio, runNow } from '../../src/portfolios/keep-portfolio.ts'
import { findPortfolio } from '../../src/store/portfolios/portfolios.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { type Setup, setup } from '../support/setup.ts'
import { addList, run } from './runs.ts'

const day = 86_400_000

const changesOf = async ({ sql }: Setup, sweepId: bigint) => sql`select * from vigia.change where sweep_id = ${sweepId}`

test('a run is due now on demand, but not while another is under way or while the portfolio is paused', async () => {
  await using t = await setup()
  await addList(t, 'Sul', cpfs(2))
  await run(t)
  const who = { by: 'ana', now: t.tools.clock() }
  await runNow(t.sql, 'sul', who)
  expect((await findPortfolio(t.sql, 'Sul'))!.dueAt!.getTime()).toBeLessThanOrEqual(who.now.getTime())
  await t.sql`update vigia.portfolio set due_at = null`
  await expect(runNow(t.sql, 'Sul', who)).rejects.toThrow('under way')
  await t.sql`update vigia.portfolio set due_at = now(), paused_at = now()`
  await expect(runNow(t.sql, 'Sul', who)).rejects.toThrow('paused')
})

test('after another kind the next run is a baseline, and a changed interval moves it', async () => {
  await using t = await setup()
  await addList(t, 'Sul', cpfs(2))
  await run(t)
  const before = (await findPortfolio(t.sql, 'Sul'))!
  const who = { by: 'ana', now: t.tools.clock() }
  await editPortfolio(t.sql, 'Sul', who, { everyMs: 7 * day, kind: 'processes' })
  const after = (await findPortfolio(t.sql, 'Sul'))!
  expect(after).toMatchObject({ kind: 'processes', everyMs: 7 * day })
  expect(before.dueAt!.getTime() - after.dueAt!.getTime()).toBe(23 * day)
  await runNow(t.sql, 'Sul', who)
  const sweep = await run(t)
  expect(sweep.detail).toMatchObject({ first: true })
  expect(await changesOf(t, sweep.id)).toEqual([])
})

test('single documents join and leave the list; an unreadable one changes nothing', async () => {
  await using t = await setup()
  await addList(t, 'Sul', cpfs(2))
  await run(t)
  const who = { by: 'ana', now: t.tools.clock() }
  const wrong = editPortfolio(t.sql, 'Sul', who, { add: [cpf(5), '12'], everyMs: day })
  await expect(wrong).rejects.toThrow('not a valid CPF or CNPJ')
  expect((await findPortfolio(t.sql, 'Sul'))!.everyMs).toBe(30 * day)
  await editPortfolio(t.sql, 'Sul', who, { add: [cpf(5)], drop: [cpf(0)] })
  await runNow(t.sql, 'Sul', who)
  const sweep = await run(t)
  const changes = await t.sql<{ document: string; verdict: string }[]>`
    select document, verdict from vigia.change where sweep_id = ${sweep.id} and field = 'portfolio' order by verdict`
  expect([...changes]).toEqual([
    { document: cpf(5), verdict: 'added' },
    { document: cpf(0), verdict: 'removed' },
  ])
  const everything = cpfs(6)
  await expect(editPortfolio(t.sql, 'Sul', who, { drop: everything })).rejects.toThrow('no document')
})
