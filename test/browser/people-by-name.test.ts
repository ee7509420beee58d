import { expect, test } from 'vitest'
import { maskDocument } from '../../src/domain/document.ts'
import { cpf } from '../support/documents.ts'
import { browse } from './browse.ts'
import { fillHouse } from './scene.ts'

test('people are found by parts of their name, whatever its case and accents, and no address has the name', async () => {
  await using t = await browse()
  await fillHouse(t)
  await t.sql`update vigia.radar set name = 'José Évoraçú' where document = ${cpf(2004)}`
  await t.sql`update vigia.lookup set registry_name = 'Évoraçú Aparecida' where question = ${cpf(1003)}`
  const page = await t.signedIn('analyst')
  const search = async (text: string) => {
    await page.locator('.find input[name="document"]').fill(text)
    await Promise.all([page.waitForURL('**/people/*'), page.locator('.find input[name="document"]').press('Enter')])
    return page.getByRole('region', { name: 'People with this name' }).getByRole('listitem').allInnerTexts()
  }
  expect(await search('EVORACU')).toEqual([
    `Évo*** Apa*** ${maskDocument(cpf(1003))}`,
    `José Évoraçú ${maskDocument(cpf(2004))}`,
  ])
  expect(await search('évoraçu jose')).toEqual([`José Évoraçú ${maskDocument(cpf(2004))}`])
  expect(page.url()).not.toMatch(/jos|voraç|vora%/i)
  await page.getByRole('link', { name: 'José Évoraçú' }).click()
  await page.waitForURL('**/person/*')
  expect(await page.locator('.title-line strong').allInnerTexts()).toEqual(['José Évoraçú'])
  expect(await search('nobody')).toEqual([])
  await page.getByText('Nobody with this name is known.').waitFor()
  expect(t.complaints).toEqual([])
})
