import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import { type Browsing, browse, seriousOn } from './browse.ts'
import { fillHouse, portfolio, type Scene } from './scene.ts'

const folder = resolve(import.meta.dirname, '../screenshots')

/** Shared by all tests of this file, because none of them changes it. */
let t: Browsing
let scene: Scene
beforeAll(async () => {
  t = await browse()
  scene = await fillHouse(t)
  await mkdir(folder, { recursive: true })
})
afterAll(() => t[Symbol.asyncDispose]())

test.each([
  { name: 'desktop-light', viewport: { width: 1280, height: 900 }, colorScheme: 'light', locale: 'en-US' },
  { name: 'desktop-dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark', locale: 'pt-BR' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, colorScheme: 'light', locale: 'pt-BR' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'en-US' },
] as const)(
  'every page fits its width, reports no error, and axe finds nothing serious on it: $name, $locale',
  async ({ name, ...look }) => {
    const { done, earlier, unknown: outcomeUnknown, unconfirmed, upload, list } = scene
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
      'nothing-shared': `/batches/${done}/compare?with=${outcomeUnknown}`,
      retry: `/batches/${done}/retry`,
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
      'bulk-pause': '/batches/all/pause',
    }
    for (const [title, path] of Object.entries(pages)) await checkPage(page, path, `${title}.${name}`)
    await page.goto('/radars')
    await page.click('tbody a')
    await checkPage(page, page.url(), `radar.${name}`)
    await page.locator('.find input[name="document"]').fill(cpf(2000))
    await Promise.all([page.waitForURL('**/person/*'), page.locator('.find input[name="document"]').press('Enter')])
    expect(page.url()).not.toContain(cpf(2000))
    await checkPage(page, page.url(), `person.${name}`)
    await page.click('.who button')
    await checkPage(page, '/sign-in', `sign-in.${name}`)
    expect(t.complaints).toEqual([])
  },
  600_000,
)

/** Takes a picture of the page, and checks that it fits its width and can be used by everyone. */
const checkPage = async (page: Page, path: string, name: string): Promise<void> => {
  await page.goto(path)
  await page.locator('[hx-trigger="load"] .busy').first().waitFor({ state: 'detached' })
  for (const plot of await page.locator('[data-plot]').all()) await plot.locator('canvas').waitFor()
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, `${name} is wider than its window`).toBeLessThanOrEqual(0)
  expect(await seriousOn(page), name).toEqual([])
}

test('the keyboard reaches everything from the list to a row', async () => {
  const { done } = scene
  const page = await t.signedIn('ops')
  await page.goto('/batches')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  await page.keyboard.press('/')
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('search')
  await page.keyboard.type('clientes')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=clientes/)
  await page.locator('tbody a').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/batches/${done}`)
  await page.locator('.legend a').first().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/outcome=ok/)
  await page.locator('#rows tbody a').first().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/rows\/\d+$/)
})
