import { expect, test } from 'vitest'
import { formatDocument, maskDocument } from '../../src/domain/document.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { call } from './call.ts'
import { hasTerminal, onTerminal } from './terminal.ts'
import { type Installed, installHere as install } from './vigia-process.ts'

/** Skipped where the machine has no `script` of util-linux to make a terminal with. */
const onTerminals = test.skipIf(!hasTerminal)

const priced = { budget: { unitPrice: { amount: '1.90', currency: 'BRL' } } }
const expectNothingTaken = async (t: Installed) => {
  expect(await t.sql`select id from vigia.batch`).toHaveLength(0)
  expect(t.sandbox.charges()).toBe(0)
}

onTerminals('run shows its quote, asks, and processes the file only after a yes', async () => {
  await using t = await install(priced)
  const file = await t.write('clientes.csv', csvOf(cpfs(4)))
  const declined = await onTerminal(t, ['run', file], 'n')
  expect(declined.screen).toMatch(/^To be paid +4 \(R\$7\.60\)$/m)
  expect(declined.screen).toContain('Spend up to 4 units (R$7.60)? [y/N]')
  expect(declined).toMatchObject({ exitCode: 3 })
  await expectNothingTaken(t)

  const agreed = await onTerminal(t, ['run', file], 'y')
  expect(agreed.screen).toMatch(/^Charged +4 \(R\$7\.60\)$/m)
  expect(agreed).toMatchObject({ exitCode: 0 })
  expect(t.sandbox.charges()).toBe(4)

  const again = await onTerminal(t, ['run', file], 'n')
  expect(again.exitCode).toBe(0)
  expect(again.screen).not.toContain('[y/N]')
})

test('without a terminal run needs --yes or --max-spend; otherwise it prints the quote and exits with 2', async () => {
  await using t = await install(priced)
  const file = await t.write('clientes.csv', csvOf(cpfs(4)))
  const refused = await t.vigia('run', file)
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toMatch(/^To be paid +4 \(R\$7\.60\)$/m)
  expect(refused.stdout).toContain(
    `it would spend up to 4 units (R$7.60); nothing was spent. To approve it: \`vigia run ${file} --yes\``,
  )
  const shown = await t.json('run', file)
  expect(shown).toMatchObject({
    exitCode: 2,
    results: [{ ending: 'unconfirmed', batch: null, quote: { toBePaid: 4, price: { cents: 760, currency: 'BRL' } } }],
  })
  await expectNothingTaken(t)

  expect(await t.json('run', file, '--kind', 'processes')).toMatchObject({ exitCode: 0 })
  expect(await t.json('run', file, '--max-spend', '3')).toMatchObject({
    exitCode: 3,
    results: [{ states: { ok: 3, over_budget: 1 }, price: { cents: 570 } }],
  })
  expect(t.sandbox.charges()).toBe(3)
  expect((await t.vigia('batches')).stdout).toMatch(/clientes.* 3 \(R\$5\.70\)/)
  expect((await t.vigia('batch', '2')).stdout).toMatch(/^Charged +3 \(R\$5\.70\)/m)
  expect((await t.vigia('usage')).stdout).toContain('R$5.70')

  // At the limit a retry does nothing; below it, a retry needs approval.
  expect(await t.json('retry', '2')).toMatchObject({ exitCode: 3, toBePaid: 1, retried: 0 })
  await t.sql`update vigia.batch set max_spend = null`
  expect(await t.json('retry', '2')).toMatchObject({ exitCode: 2, toBePaid: 1, retried: 0 })
  // A new limit is approval enough, up to budget.confirmAbove.
  await t.write('settings.json', JSON.stringify({ budget: { ...priced.budget, confirmAbove: 0 } }))
  expect(await t.json('retry', '2', '--max-spend', '4')).toMatchObject({ exitCode: 2, retried: 0 })
  await t.write('settings.json', JSON.stringify(priced))
  expect(await t.json('retry', '2', '--max-spend', '4')).toMatchObject({
    exitCode: 0,
    retried: 1,
    price: { cents: 190 },
  })
})

onTerminals('a yes approves the figure in the question, and no more', async () => {
  await using t = await install({ budget: { confirmAbove: 1 } })
  await t.vigia('lane', 'hold', '7001/analysis')
  await t.vigia('run', await t.write('shared.csv', csvOf(cpfs(4))), '--yes')
  // Four of the six are shared with another batch, until that is cancelled.
  const more = await t.write('more.csv', csvOf(cpfs(6)))
  const { screen, exitCode } = await onTerminal(t, ['run', more], 'y', async () => {
    await t.vigia('cancel', '1')
    await t.vigia('lane', 'resume', '7001/analysis')
  })
  expect(screen).toContain('Spend up to 2 units? [y/N]')
  expect(screen).toContain('`vigia confirm 2` approves it')
  expect(exitCode).toBe(3)
  expect(t.sandbox.charges()).toBe(0)
  expect(await t.json('run', more, '--yes')).toMatchObject({ exitCode: 0, results: [{ batch: 2 }] })
  expect(t.sandbox.charges()).toBe(6)
})

test('what was quoted as free is not bought without approval, if the batch that was to pay is cancelled', async () => {
  await using t = await install()
  await t.vigia('lane', 'hold', '7001/analysis')
  await t.vigia('run', await t.write('first.csv', csvOf(cpfs(4))), '--max-spend', '1')
  const same = await t.write('same.csv', `cpf\n${cpfs(4).join('\n')}\n`)
  expect(await t.json('run', same)).toMatchObject({ results: [{ batch: 2, ending: 'held' }] })
  await t.vigia('cancel', '1')
  await t.vigia('lane', 'resume', '7001/analysis')
  expect(await t.json('run', same)).toMatchObject({ exitCode: 2, results: [{ ending: 'unconfirmed' }] })
  expect(t.sandbox.charges()).toBe(0)
  expect(await t.json('run', same, '--yes')).toMatchObject({ exitCode: 0, results: [{ batch: 2, states: { ok: 4 } }] })
})

onTerminals('a raised limit of a running file is part of the question, and of its approval', async () => {
  await using t = await install({ budget: { confirmAbove: 2 } })
  await t.vigia('lane', 'hold', '7001/analysis')
  const running = await t.write('running.csv', csvOf(cpfs(6)))
  await t.vigia('run', running, '--max-spend', '1')
  const fresh = await t.write('fresh.csv', csvOf(cpfs(3, 20)))
  const { screen } = await onTerminal(t, ['run', fresh, running, '--max-spend', '10'], 'y')
  expect(screen).toContain('Spend up to 8 units? [y/N]')
  expect(await t.sql`select id::int, state from vigia.batch order by id`).toEqual([
    { id: 1, state: 'running' },
    { id: 2, state: 'running' },
  ])
})

onTerminals('after a yes for a limit, a script may raise it if budget.confirmAbove is off', async () => {
  await using t = await install()
  await t.vigia('lane', 'hold', '7001/analysis')
  const file = await t.write('clientes.csv', csvOf(cpfs(6)))
  await onTerminal(t, ['run', file, '--max-spend', '2'], 'y')
  expect(await t.json('run', file, '--max-spend', '5')).toMatchObject({ results: [{ batch: 1, ending: 'held' }] })
  expect(await t.sql`select state, max_spend from vigia.batch`).toEqual([{ state: 'running', maxSpend: 5 }])
})

test('a new limit for a running file needs approval above budget.confirmAbove', async () => {
  await using t = await install({ budget: { confirmAbove: 3 } })
  const file = await t.write('clientes.csv', csvOf(cpfs(6)))
  await t.vigia('lane', 'hold', '7001/analysis')
  expect(await t.json('run', file, '--max-spend', '2')).toMatchObject({ results: [{ ending: 'held' }] })
  expect(await t.json('run', file, '--max-spend', '3')).toMatchObject({ results: [{ ending: 'held' }] })
  expect(await t.json('run', file, '--max-spend', '6')).toMatchObject({ results: [{ ending: 'unconfirmed' }] })
  await t.vigia('lane', 'resume', '7001/analysis')
  expect(await t.json('run', file, '--max-spend', '6')).toMatchObject({
    exitCode: 3,
    results: [{ ending: 'unconfirmed' }],
  })
  expect(t.sandbox.charges()).toBe(0)
  expect(await t.json('run', file, '--max-spend', '5', '--yes')).toMatchObject({
    results: [{ ending: 'done', states: { ok: 5, over_budget: 1 } }],
  })
  expect(t.sandbox.charges()).toBe(5)
})

/** Refuses the first approval of a waiting batch, as if somebody else had just approved it. */
const refuseFirstApproval = (t: Installed) =>
  t.sql.unsafe(`
    create sequence vigia.asked;
    create function vigia.refuse_first() returns trigger language plpgsql as
      $$ begin return case when nextval('vigia.asked') > 1 then new end; end $$;
    create trigger refuse_first before update on vigia.batch for each row
      when (old.state = 'unconfirmed' and new.state = 'running') execute function vigia.refuse_first()`)

test('a run whose approval is refused reads the batch again, and finishes it', async () => {
  await using t = await install({ budget: { confirmAbove: 1 } })
  const file = await t.write('clientes.csv', csvOf(cpfs(3)))
  await t.vigia('lane', 'hold', '7001/analysis')
  await t.vigia('run', file, '--max-spend', '1')
  expect(await t.json('run', file, '--max-spend', '3')).toMatchObject({ results: [{ ending: 'unconfirmed' }] })
  await t.vigia('lane', 'resume', '7001/analysis')
  await refuseFirstApproval(t)
  expect(await t.json('run', file, '--yes')).toMatchObject({
    exitCode: 0,
    results: [{ batch: 1, ending: 'done', states: { ok: 3 } }],
  })
  expect(await t.sql`select last_value::int as approvals from vigia.asked`).toEqual([{ approvals: 2 }])
})

onTerminals('retry asks, and spends nothing after a no', async () => {
  await using t = await install()
  await t.vigia('run', await t.write('clientes.csv', csvOf(cpfs(3))), '--max-spend', '2')
  const declined = await onTerminal(t, ['retry', '1', '--max-spend', '3'], 'n')
  expect(declined.screen).toContain('Spend up to 1 unit? [y/N]')
  expect(declined.exitCode).toBe(3)
  expect(await t.sql`select id from vigia.lookup where state = 'queued'`).toHaveLength(0)
  expect(await onTerminal(t, ['retry', '1', '--max-spend', '3'], 's')).toMatchObject({ exitCode: 0 })
})

/** A batch whose second row was sent, and whose answer was lost. */
const withParked = async (t: Installed) => {
  t.sandbox.setScenario({
    faults: [{ operation: 'generate', document: cpf(1), fault: 'closedAfter', times: 1 }],
    activities: { limit: 0 },
  })
  await t.vigia('run', await t.write('clientes.csv', csvOf(cpfs(3))), '--yes')
  expect(await t.sql`select id from vigia.lookup where state = 'unknown_outcome'`).toHaveLength(1)
}

test('resolve --resend shows its cost and needs approval; --drop needs none', async () => {
  await using t = await install({ ...priced, request: { timeout: '300ms', retries: 0 } })
  await withParked(t)
  const refused = await t.vigia('resolve', '1', '--line', '3', '--resend')
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain('Line 3 would be sent and paid for again: up to 1 unit (R$1.90)')
  expect(refused.stdout).toContain('To approve it, run `vigia resolve 1 --line 3 --resend --yes`.')
  expect(await t.sql`select id from vigia.lookup where state = 'unknown_outcome'`).toHaveLength(1)

  if (hasTerminal) {
    const asked = await onTerminal(t, ['resolve', '1', '--line', '3', '--resend'], 'n')
    expect(asked.screen).toContain('Spend up to 1 unit (R$1.90)? [y/N]')
    expect(asked.exitCode).toBe(3)
  }
  expect((await t.vigia('resolve', '1', '--line', '3', '--resend', '--yes')).exitCode).toBe(0)
  expect(await t.sql`select id from vigia.lookup where state = 'queued'`).toHaveLength(1)
})

test('a sweep shows what it would buy, needs approval, and reports what it bought', async () => {
  await using t = await install(priced)
  for (const code of cpfs(3)) t.sandbox.plantRadar({ code, name: 'Fulano' })
  const refused = await t.vigia('radars', 'sync')
  expect(refused).toMatchObject({ exitCode: 2 })
  expect(refused.stderr).toContain('A sweep of radars would buy up to 3 analyses (R$5.70)')
  expect(await t.json('sweep', 'radars')).toMatchObject({ exitCode: 2, analysesToBuy: 3, price: { cents: 570 } })
  expect(t.sandbox.charges()).toBe(0)
  expect(await t.sql`select id from vigia.sweep`).toHaveLength(0)

  if (hasTerminal) {
    const asked = await onTerminal(t, ['radars', 'sync'], 'n')
    expect(asked.screen).toContain('Buy up to 3 analyses (R$5.70)? [y/N]')
    expect(asked.exitCode).toBe(3)
  }
  const swept = await t.vigia('sweep', 'radars', '--yes')
  expect(swept.stdout).toBe('3 of 3 verified, 0 changed; bought 3 analyses (R$5.70)\n')
  expect(t.sandbox.charges()).toBe(3)
  // Nothing more to buy, so no question.
  expect(await t.json('radars', 'sync')).toMatchObject({ exitCode: 0, verified: 3, bought: 0 })
  expect((await call(['sweeps'], t.env)).stdout).toMatch(/3 of 3 verified, 0 changed; bought 3 analyses \(R\$5\.70\)/)
})

test('nobody is erased without approval, and a document may come on standard input', async () => {
  await using t = await install()
  await t.vigia('run', await t.write('clientes.csv', csvOf(cpfs(2))), '--yes')
  const known = async () => (await t.sql`select id from vigia.lookup where question = ${cpf(1)}`).length
  const refused = await t.vigia('purge', '--document', cpf(1))
  expect(refused).toMatchObject({ exitCode: 2 })
  expect(refused.stdout).toBe('Nothing was erased: add --yes where nobody can be asked.\n')
  if (hasTerminal) {
    const asked = await onTerminal(t, ['purge', '--document', cpf(1)], 'n')
    expect(asked.screen).toContain(`Erase ${maskDocument(cpf(1))} permanently? [y/N]`)
    expect(asked.exitCode).toBe(3)
  }
  expect(await known()).toBe(1)

  const erased = await call(['purge', '--document', '-', '--yes'], t.env, undefined, `${formatDocument(cpf(1))}\n`)
  expect(erased.exitCode).toBe(0)
  expect(await known()).toBe(0)
})
