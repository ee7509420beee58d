import { expect, test } from 'vitest'
import { classifications } from '../../src/domain/classifications.ts'
import { cpf, csvOf } from '../support/documents.ts'
import { browse } from './browse.ts'

/** Figures for every class: those given, and zeros. */
const figures = (given: Record<string, { count: number; cents: number }>) => ({
  figures: { ...Object.fromEntries(classifications.map((key) => [key, { count: 0, cents: 0 }])), ...given },
})

const atRisk = figures({
  ALL: { count: 5, cents: 0 },
  ISDEFENDANT_WITH_RISK: { count: 3, cents: 123_456_700 },
  RISK_WORKER: { count: 1, cents: 500_000 },
})

test('a finished batch, a row and a person open with the risk, and classes with nothing fold away', async () => {
  await using t = await browse()
  t.sandbox.plantChange(cpf(0), atRisk)
  t.sandbox.plantChange(cpf(1), figures({}))
  t.sandbox.plantChange(cpf(2), figures({ ALL: { count: 1, cents: 100 } }))
  const id = await t.done(csvOf([cpf(0), cpf(1), cpf(2)]))
  const page = await t.signedIn('analyst')
  await page.goto(`/batches/${id}`)
  const risk = page.getByRole('region', { name: 'Risk' })
  await risk.getByText('1 of 3 documents at risk').waitFor()
  expect(await risk.innerText()).toContain('at least R$1,234,567.00')
  await risk.getByRole('link', { name: 'See the highest risks' }).click()
  await page
    .getByRole('cell', { name: /1,234,567/ })
    .first()
    .waitFor()

  const verdicts = ['3 lawsuits with risk, R$1.2M', 'No lawsuits found', '1 lawsuit, none with risk']
  for (const [i, verdict] of verdicts.entries()) {
    await page.goto(`/batches/${id}/rows/${i + 2}`)
    expect(await page.locator('.verdict').innerText()).toBe(verdict)
    expect(await page.locator('tr').filter({ hasText: 'Labour' }).first().isVisible()).toBe(i === 0)
    await page.getByText(/Classes with nothing: \d+/).click()
    expect(await page.locator('details.zeros tr').last().isVisible()).toBe(true)
  }
  await page.getByRole('search').getByRole('textbox').fill(cpf(0))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/person/*')
  expect(await page.locator('.verdict').innerText()).toBe(verdicts[0])
  expect(t.complaints).toEqual([])
})
