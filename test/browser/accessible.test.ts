import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import { type Browsing, browse } from './browse.ts'
import { fillHouse, portfolio, type Scene } from './scene.ts'

/** Shared by all tests of this file, because none of them changes it. */
let t: Browsing
let scene: Scene
beforeAll(async () => {
  t = await browse()
  scene = await fillHouse(t)
})
afterAll(() => t[Symbol.asyncDispose]())

test.each([
  { colorScheme: 'light', viewport: { width: 1280, height: 900 }, locale: 'en-US' },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'pt-BR' },
  { colorScheme: 'dark', viewport: { width: 1280, height: 900 }, locale: 'pt-BR' },
  { colorScheme: 'light', viewport: { width: 390, height: 844 }, locale: 'en-US' },
] as const)(
  'axe finds nothing serious on any page: $colorScheme, $viewport.width wide, $locale',
  async (look) => {
    const { done, earlier, unknown: outcomeUnknown, unconfirmed, upload, list } = scene
    const page = await t.signedIn('admin', { ...look, bypassCSP: true })
    await page.goto('/radars')
    const radar = await page.locator('tbody a').first().getAttribute('href')
    const paths = [
      '/batches',
      `/batches/${done}`,
      `/batches/${unconfirmed}`,
      `/batches/${outcomeUnknown}/rows/3`,
      `/batches/${done}/rows/2`,
      `/batches/${done}/risk`,
      `/batches/${done}/compare?with=${earlier}`,
      `/batches/${done}/compare?with=${outcomeUnknown}`,
      `/batches/${done}/retry`,
      `/uploads/${upload}`,
      '/portfolios',
      portfolio,
      `${portfolio}/sync/${list}`,
      '/rules',
      '/parked',
      '/radars',
      radar!,
      '/changes',
      '/system',
      '/system/audit',
      '/help/files',
      '/batches/all/pause',
      '/sign-in',
    ]
    await page.locator('.find input[name="document"]').fill(cpf(2000))
    await Promise.all([page.waitForURL('**/person/*'), page.locator('.find input[name="document"]').press('Enter')])
    expect(page.url()).not.toContain(cpf(2000))
    for (const path of [page.url(), ...paths]) expect(await serious(page, path), path).toEqual([])
  },
  600_000,
)

const serious = async (page: Page, path: string): Promise<string[]> => {
  await page.goto(path)
  await page.locator('[hx-trigger="load"] .busy').first().waitFor({ state: 'detached' })
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
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
