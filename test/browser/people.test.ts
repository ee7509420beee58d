import { expect, test } from 'vitest'
import { maskDocument } from '../../src/domain/document.ts'
import { listAudit } from '../../src/views/installation.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { browse } from './browse.ts'
import { fillHouse } from './scene.ts'

test('an administrator settles parked rows: one is adopted, the other dropped', async () => {
  await using t = await browse({ config: { request: { timeout: '600ms', retries: 0 } } })
  const { unknown: outcomeUnknown } = await fillHouse(t)
  const { analyses } = await t.tools.registry.activities.list(t.sandbox.account)
  const bought = analyses.find(({ document }) => document === cpf(1))!.id
  const page = await t.signedIn('admin')
  await page.goto('/parked')
  const first = page.getByRole('article').filter({ hasText: maskDocument(cpf(1)) })
  await first.getByLabel('Registry number').fill('77')
  await first.getByRole('button', { name: 'Adopt', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'lists no purchase 77' }).waitFor()

  await page.goto('/parked')
  await first.getByLabel('Registry number').fill(String(bought))
  await first.getByRole('button', { name: 'Adopt', exact: true }).click()
  await page.getByText('Decision recorded.').waitFor()
  await page.getByRole('article').getByRole('button', { name: 'Drop' }).click()
  await page.getByText('No parked purchases.').waitFor()
  await until(async () => {
    const counts = await t.sql<
      { state: string; rows: number }[]
    >`select state, rows from vigia.batch_count where batch_id = ${outcomeUnknown}`
    return counts.find(({ state }) => state === 'ok')?.rows === 11
  })
  const log = await listAudit(t.sql, 10)
  expect(log.map(({ what }) => what)).toEqual(expect.arrayContaining(['resolve: adopt', 'resolve: drop']))
})

test('the worst change of the last night comes first, and leads to the history of its document', async () => {
  await using t = await browse()
  await fillHouse(t)
  const page = await t.signedIn('analyst')
  await page.goto('/changes')
  const documents = page.getByRole('article')
  expect(await documents.first().innerText()).toContain('Cliente 01 da Silva')
  expect(await documents.count()).toBe(4)
  await documents.first().getByRole('link').click()
  await page.locator('.plot.lines canvas').waitFor()
  expect(page.url()).not.toContain(cpf(2000))
  await page.goto('/radars')
  expect(await page.locator('.calendar .night').count()).toBe(30)
  expect(await page.locator('.calendar .night.none').count()).toBe(1)
  const radars = page.getByRole('region', { name: 'Radars' })
  await radars.getByRole('searchbox').fill(cpf(2007))
  await radars.getByRole('button', { name: 'Search' }).click()
  await page.getByText('Cliente 08 da Silva').waitFor()
  expect(await page.locator('tbody tr').count()).toBe(1)
  expect(page.url()).not.toContain(cpf(2007))
  expect(t.complaints).toEqual([])
})

test('each role sees only the buttons it may press', async () => {
  await using t = await browse()
  const { unknown: outcomeUnknown, unconfirmed } = await fillHouse(t)
  const seen = async (role: 'analyst' | 'ops' | 'admin') => {
    const page = await t.signedIn(role)
    const upload = await page.locator('#upload').count()
    await page.goto(`/batches/${unconfirmed}`)
    const confirm = await page.getByRole('button', { name: /^Approve/ }).count()
    await page.goto(`/batches/${outcomeUnknown}/rows/3`)
    const resolve = await page.getByRole('button', { name: 'Send again' }).count()
    const reveal = await page.getByRole('button', { name: 'Show the document' }).count()
    await page.goto('/system')
    const resume = await page.getByRole('button', { name: 'Resume', exact: true }).count()
    const log = await page.getByRole('link', { name: 'Audit log' }).count()
    return { upload, confirm, resume, resolve, reveal, log }
  }
  expect(await seen('analyst')).toEqual({ upload: 0, confirm: 0, resume: 0, resolve: 0, reveal: 0, log: 0 })
  expect(await seen('ops')).toEqual({ upload: 1, confirm: 1, resume: 1, resolve: 0, reveal: 0, log: 0 })
  expect(await seen('admin')).toEqual({ upload: 1, confirm: 1, resume: 1, resolve: 1, reveal: 1, log: 1 })
})

test('the sign-in link opens the page, and signing out closes it', async () => {
  await using t = await browse()
  const page = await (await t.context()).newPage()
  await page.goto(t.web.signInLink!)
  await page.getByRole('button', { name: 'Open Vigia' }).click()
  await page.waitForURL('**/batches')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await page.goto('/batches')
  expect(page.url()).toContain('/sign-in')
})

test('a lane is resumed, a task is run, and batches are cancelled by a filter', async () => {
  await using t = await browse()
  const { unconfirmed } = await fillHouse(t)
  const page = await t.signedIn('ops')
  await page.goto('/system')
  await page.getByRole('button', { name: 'Resume the lane' }).click()
  await page.getByText('No lane is held.').waitFor()
  await page
    .getByRole('row', { name: /Radar sweep/ })
    .getByRole('link', { name: 'Run now' })
    .click()
  await page.getByText('It buys up to').or(page.getByText('It costs nothing.')).waitFor()
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.waitForURL('**/system*')
  expect(await t.sql`select from vigia.sweep where name = 'radars' and trigger = 'operator'`).toHaveLength(1)

  await page.goto('/batches?state=unconfirmed')
  await page.getByText('Bulk actions').click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('It costs nothing.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL('**/batches')
  await until(
    async () => (await t.sql`select from vigia.batch where id = ${unconfirmed} and state = 'cancelled'`).length > 0,
  )
  await page.getByLabel('Name or number').fill('renova')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=renova/)
  expect(await page.locator('tbody tr').count()).toBe(1)
  await t.submit(csvOf(cpfs(1)))
})
