import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { holdLaneByHand } from '../../src/operations/lanes.ts'
import { heldLanes } from '../../src/store/fleet/lanes.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { browse, seriousOn } from './browse.ts'

const folder = resolve(import.meta.dirname, '../screenshots')
const looks = [
  { name: 'desktop-en', viewport: { width: 1280, height: 900 }, locale: 'en-US', colorScheme: 'light' },
  { name: 'phone-pt', viewport: { width: 390, height: 844 }, locale: 'pt-BR', colorScheme: 'dark' },
] as const

/** What the bar says of each incident is checked without a browser, in test/web/incident.slow.test.ts. */
test.each(looks)('an incident is on every page as large as its text, on $name', async ({ name, ...look }) => {
  await using t = await browse()
  t.sandbox.setScenario({ token: { refuseRefresh: true } })
  t.sandbox.expireTokens()
  const id = await t.submit(csvOf(cpfs(1_200)), { fileName: 'clientes março.csv' })
  await until(async () => (await heldLanes(t.sql)).find(({ cause }) => cause === 'token'))
  await mkdir(folder, { recursive: true })
  const page = await t.signedIn('ops', look)
  for (const [title, path] of Object.entries({ batches: '/batches', batch: `/batches/${id}`, system: '/system' })) {
    await page.goto(path)
    const bar = page.locator('#trouble .trouble').first()
    await bar.filter({ hasText: /clientes março/ }).waitFor()
    if (!(await bar.locator('p').first().isVisible())) await bar.locator('summary').click()
    await bar
      .locator('time')
      .filter({ hasText: /^(in|em) \d|^(now|agora)$/ })
      .waitFor()
    if (path !== '/system') await page.locator('.badge.state-held').waitFor()
    await page.screenshot({ path: join(folder, `trouble-${title}.${name}.png`) })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, path).toBeLessThanOrEqual(0)
    expect(await seriousOn(page), path).toEqual([])
  }
  expect(t.complaints).toEqual([])
})

test('the time to the next attempt is counted down and updated, and the bar disappears, all without a reload', async () => {
  await using t = await browse()
  const { organizationId } = t.sandbox.account
  const nextTry = (after: string) => t.sql`update vigia.lane set trial_at = now() + ${after}::interval`
  await holdLaneByHand(t.sql, { organizationId, kind: 'scr' }, { by: 'ana', now: new Date(), reason: 'contract' })
  await nextTry('50 min')
  const page = await t.signedIn('analyst')
  await page.goto('/radars')
  const time = page.locator('#trouble time')
  await time.filter({ hasText: /^in 49 min \d\d s$/ }).waitFor()
  const before = await time.innerText()
  await time.filter({ hasNotText: before }).waitFor()
  await nextTry('100 min')
  await time.filter({ hasText: /^in 1 h 39 min$/ }).waitFor()
  await nextTry('0')
  await time.filter({ hasText: /^now$/ }).waitFor()
  await t.sql`delete from vigia.lane`
  await page.locator('#trouble .trouble').waitFor({ state: 'detached' })
  expect(t.complaints).toEqual([])
})
