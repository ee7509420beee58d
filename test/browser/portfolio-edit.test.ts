import { expect, test } from 'vitest'
import { addList, run } from '../portfolios/runs.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { browse } from './browse.ts'

test('the first run is a baseline; then interval, kind and list are changed, and a run is started by hand', async () => {
  await using t = await browse()
  await addList(t, 'Sul', cpfs(2))
  await run(t)
  const page = await t.signedIn('ops')
  await page.goto('/portfolios/Sul')
  await page.getByText('This run is the baseline').waitFor()
  await page.getByRole('cell', { name: 'baseline' }).waitFor()
  expect(await page.getByRole('article').count()).toBe(0)

  await page.getByLabel('Repeat every (days)').fill('7')
  await page.locator('select[name="kind"]').selectOption('processes')
  await page.getByLabel('Add documents').fill(`${cpf(4)}, ${cpf(5)}`)
  await page.getByLabel('Remove documents').fill(cpf(0))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const facts = await page.locator('.facts').first().innerText()
  expect(facts).toContain('Count of lawsuits')
  expect(facts).toContain('7 days')
  expect(await t.sql`select from vigia.portfolio_document where removed_at is null`).toHaveLength(3)

  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByText('A run starts within a minute.').waitFor()
  expect((await run(t)).detail).toMatchObject({ first: true })
  expect(t.complaints).toEqual([])
})
