import { expect, test } from 'vitest'
import { readBatch } from '../../src/store/batches/batches.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { type Browsing, browse } from './browse.ts'

const phone = { viewport: { width: 360, height: 740 }, locale: 'pt-BR' }

test('on a phone every entry of the menu is on the screen, and banners fold', async () => {
  await using t = await browse()
  await hold(t)
  const page = await t.signedIn('ops', phone)
  const entries = page.locator('header nav a')
  for (const entry of await entries.all()) {
    const box = (await entry.boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(phone.viewport.width)
  }
  expect(await page.locator('header nav').evaluate((nav) => nav.scrollWidth - nav.clientWidth)).toBe(0)

  const incident = page.locator('#trouble details')
  const [title, detail] = [incident.locator('summary strong'), incident.locator('p').first()]
  expect(await title.isVisible()).toBe(true)
  expect(await detail.isVisible()).toBe(false)
  await title.click()
  await detail.waitFor()
  await t.sql`update vigia.lane set trial_at = now() + interval '50 min'`
  await incident.locator('time').waitFor()
  expect(await detail.isVisible()).toBe(true)

  const desktop = await t.signedIn('ops')
  expect(await desktop.locator('#trouble details p').first().isVisible()).toBe(true)
  expect(t.complaints).toEqual([])
})

test('a paused batch shows no time left, and a started one has one progress bar', async () => {
  await using t = await browse()
  await hold(t)
  const id = await t.submit(csvOf(cpfs(3)))
  await until(async () => (await readBatch(t.sql, id))!.importedAt)
  const page = await t.signedIn('ops')
  await page.goto(`/batches/${id}`)
  await page.getByRole('progressbar').waitFor()
  expect(await page.locator('#live progress, #live svg.bar').count()).toBe(1)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('paused', { exact: true }).waitFor()
  expect(await page.getByText('Time left').count()).toBe(0)
  expect(await page.locator('#live progress, #live svg.bar').count()).toBe(1)
})

const hold = (t: Browsing) =>
  holdLane(
    t.sql,
    { organizationId: t.sandbox.account.organizationId, kind: 'analysis' },
    { cause: 'operator', reason: ['text', 'contract under review'], trialAt: null },
    new Date(),
  )
