import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import { browse } from './browse.ts'
import { fillHouse, portfolio } from './scene.ts'

const folder = resolve(import.meta.dirname, '../screenshots')
const looks = [
  { name: 'desktop-light', viewport: { width: 1280, height: 900 }, colorScheme: 'light', locale: 'en-US' },
  { name: 'desktop-dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark', locale: 'pt-BR' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, colorScheme: 'light', locale: 'pt-BR' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'en-US' },
] as const

test('every page, at phone and desktop width, light and dark, fits its width and reports no errors', async () => {
  await using t = await browse()
  const { done, earlier, unknown: outcomeUnknown, unconfirmed, upload, list } = await fillHouse(t)
  await mkdir(folder, { recursive: true })
  for (const { name, ...look } of looks) {
    const page = await t.signedIn('admin', look)
    const pages: Record<string, string> = {
      batches: '/batches',
      batch: `/batches/${done}`,
      rejected: `/batches/${done}?outcome=rejected#rows`,
      quote: `/batches/${unconfirmed}`,
      row: `/batches/${outcomeUnknown}/rows/3`,
      answer: `/batches/${done}/rows/2`,
      risk: `/batches/${done}/risk`,
      compare: `/batches/${done}/compare?with=${earlier}`,
      picker: `/uploads/${upload}`,
      portfolios: '/portfolios',
      portfolio,
      sync: `${portfolio}/sync/${list}`,
      rules: '/rules',
      parked: '/parked',
      radars: '/radars',
      changes: '/changes',
      system: '/system',
      audit: '/system/audit',
      help: '/help/files',
      retry: `/batches/all/pause`,
    }
    for (const [title, path] of Object.entries(pages)) await shoot(page, path, `${title}.${name}`)
    await page.goto('/radars')
    await page.click('tbody a')
    await shoot(page, page.url(), `radar.${name}`)
    await page.locator('.find input[name="document"]').fill(cpf(1000))
    await Promise.all([page.waitForURL('**/person/*'), page.locator('.find input[name="document"]').press('Enter')])
    await shoot(page, page.url(), `person.${name}`)
    await page.click('.who button')
    await shoot(page, '/sign-in', `sign-in.${name}`)
  }
  expect(t.complaints).toEqual([])
})

const shoot = async (page: Page, path: string, name: string): Promise<void> => {
  await page.goto(path)
  await page.locator('[hx-trigger="load"] .busy').first().waitFor({ state: 'detached' })
  for (const plot of await page.locator('[data-plot]').all()) await plot.locator('canvas').waitFor()
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, `${name} is wider than its window`).toBeLessThanOrEqual(0)
}
