import { expect, test } from 'vitest'
import { listAudit } from '../../src/views/installation.ts'
import { cpf } from '../support/documents.ts'
import { type Browsing, browse } from './browse.ts'

test('each document is one block, filters find it, and an analyst acknowledges several, which leave the list', async () => {
  await using t = await browse({ config: { rules: [{ name: 'labour', when: 'appears', classes: ['RISK_WORKER'] }] } })
  await fillNight(t)
  const page = await t.signedIn('analyst')
  await page.goto('/changes')
  const blocks = page.getByRole('article')
  expect(await blocks.count()).toBe(3)
  expect(await blocks.first().innerText()).toContain('Cliente 0')
  expect(await blocks.first().getByText('More figures: 2').isVisible()).toBe(true)

  const found = async (field: string, choice: string) => {
    await page.goto('/changes')
    await page.locator(`select[name="${field}"]`).selectOption({ label: choice })
    await page.waitForURL(/sweep=/)
    return (await blocks.allInnerTexts()).map((text) => /Cliente (\d)/.exec(text)![1]).join('')
  }
  expect(await found('verdict', 'better')).toBe('2')
  expect(await found('class', 'Labour claims')).toBe('01')
  expect(await found('portfolio', 'South')).toBe('1')
  expect(await found('rule', 'labour')).toBe('0')
  await page.goto('/changes')
  await page.getByLabel('Minimum amount (R$)').fill('5000')
  await page.keyboard.press('Enter')
  await page.waitForURL(/amount=5000/)
  expect(await blocks.count()).toBe(1)

  await page.goto('/changes')
  for (const i of [0, 2]) await page.getByRole('checkbox', { name: `Select Cliente ${i}` }).check()
  await page.getByLabel('Note').fill('spoke to them')
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await page.getByText('Acknowledged.').waitFor()
  expect(await blocks.count()).toBe(1)
  expect(await found('state', 'acknowledged')).toBe('02')
  expect(await blocks.first().innerText()).toContain('spoke to them')
  expect((await listAudit(t.sql, 1))[0]).toMatchObject({ what: 'acknowledge', subject: '6 changes' })
  expect(t.complaints).toEqual([])
})

/** A night in which three documents changed: the first in five figures, of which one met a rule. */
const fillNight = async ({ sql, sandbox }: Browsing): Promise<void> => {
  const { organizationId } = sandbox.account
  const [sweep] = await sql<{ id: bigint }[]>`
    insert into vigia.sweep (name, slot, state, trigger, due, verified, changed, started_at, finished_at)
    values ('radars', '2026-01-01T02:00', 'done', 'schedule', 3, 3, 3, now(), now()) returning id`
  const change = (i: number, field: string, verdict: string, after: string) => sql`
    insert into vigia.change (sweep_id, organization_id, document, field, verdict, before, after, weight, seen_at)
    values (${sweep!.id}, ${organizationId}, ${cpf(i)}, ${field}, ${verdict}, '1', ${after}, ${1_000 - i}, now())`
  for (const i of [0, 1, 2])
    await sql`insert into vigia.radar (organization_id, document, document_type, name, active, added_at, seen_at)
              values (${organizationId}, ${cpf(i)}, 'CPF', ${`Cliente ${i}`}, true, now(), now())`
  for (const field of ['RISK_WORKER_count', 'ALL_count', 'ALL_value', 'ISDEFENDANT_count', 'processes'])
    await change(0, field, 'worse', field === 'ALL_value' ? '9000.50' : '3')
  await change(1, 'RISK_WORKER_value', 'new', '120.00')
  await change(2, 'processes', 'better', '0')
  await sql`
    insert into vigia.rule_met (change_id, rule, severity, notified)
    select id, 'labour', 'warning', true from vigia.change where document = ${cpf(0)} and field = 'RISK_WORKER_count'`
  const [list] = await sql<{ id: bigint }[]>`
    insert into vigia.portfolio (organization_id, name, kind, every_ms, paused_at, added_at, added_by)
    values (${organizationId}, 'South', 'analysis', 86400000, now(), now(), 'ana') returning id`
  await sql`
    insert into vigia.portfolio_document (portfolio_id, document, place) values (${list!.id}, ${cpf(1)}, 1)`
}
