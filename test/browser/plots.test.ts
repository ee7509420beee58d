import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { browse } from './browse.ts'

test('plots have whole numbers for counts, a currency on amounts, and classes sorted by amount', async () => {
  await using t = await browse()
  const id = await t.done(csvOf(cpfs(4)))
  const page = await t.signedIn('analyst')
  await page.goto(`/batches/${id}/risk`)
  await page.locator('.plot.bars canvas').waitFor()
  const plot = JSON.parse((await page.locator('.plot.bars').getAttribute('data-plot'))!)
  expect(plot.unit).toBe('BRL')
  expect(plot.values).toEqual(plot.values.toSorted((a: number, b: number) => b - a))
  // As text, because vitest rewrites an import in a function.
  const axis = await page.evaluate(`import('/assets/plot-axis.js').then(({ tick, steps }) => ({
    amounts: [0, 1_500_000].map(tick('BRL')), counts: [1, 1.5].map(tick('count')), times: [0.05, 0.1].map(tick('s')), least: steps('count').incrs[0] }))`)
  expect(axis).toEqual({ amounts: ['R$0', 'R$1.5M'], counts: ['1', ''], times: ['0.05 s', '0.1 s'], least: 1 })
  expect(t.complaints).toEqual([])
})
