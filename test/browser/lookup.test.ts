import { expect, test } from 'vitest'
import { maskDocument } from '../../src/domain/document.ts'
import { cpf } from '../support/documents.ts'
import { browse } from './browse.ts'

test('the page of a person who is not known looks them up at the price on its button', async () => {
  await using t = await browse({ config: { budget: { unitPrice: { amount: '1.90', currency: 'BRL' } } } })
  const search = async (role: 'ops' | 'analyst') => {
    const page = await t.signedIn(role)
    await page.locator('.find input[name="document"]').fill(cpf(7))
    await Promise.all([page.waitForURL('**/person/*'), page.locator('.find input[name="document"]').press('Enter')])
    return page
  }
  expect(await (await search('analyst')).getByRole('heading', { name: 'Look up now' }).count()).toBe(0)

  const page = await search('ops')
  await page.getByText('Vigia holds nothing about this document.').waitFor()
  await page.getByLabel('Purpose').fill('new supplier')
  await page.getByRole('button', { name: /^Risk analysis \(R\$\s?1\.90\)$/ }).click()
  await page.waitForURL('**/batches/*')
  await page.getByText('single look-up').first().waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: maskDocument(cpf(7)) })
    .getByRole('link')
    .first()
    .click()
  await page.waitForURL('**/rows/2')
  expect(t.sandbox.charges()).toBe(1)
  expect(await t.sql`select purpose from vigia.batch`).toEqual([{ purpose: 'new supplier' }])
  expect(page.url()).not.toContain(cpf(7))
  expect(t.complaints).toEqual([])
})
