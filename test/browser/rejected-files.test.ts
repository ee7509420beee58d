import { expect, test } from 'vitest'
import { browse } from './browse.ts'
import { drop } from './drop.ts'

test('a batch in which every row is rejected is no success: it has the colour of a warning', async () => {
  await using t = await browse()
  const page = await t.signedIn('ops', { locale: 'pt-BR' })
  await drop(page, 'ruim.csv', Buffer.from('nome;cpf\nAna;123\nRui;456\n'))
  await page.waitForURL('**/batches/1')
  const badge = page.locator('.badge.state-rejected')
  await badge.waitFor()
  expect(await badge.innerText()).toBe('rejeitado')
  expect(await page.locator('main').innerText()).toContain('nenhuma das 2 linhas pode ser consultada')
  expect(await page.locator('.downloads .primary').count()).toBe(0)
  const colourOf = (variable: string) =>
    page.evaluate((name) => {
      const probe = document.createElement('i')
      probe.style.color = `var(${name})`
      document.body.append(probe)
      const { color } = getComputedStyle(probe)
      probe.remove()
      return color
    }, variable)
  expect(await badge.evaluate((each) => getComputedStyle(each).color)).toBe(await colourOf('--warn'))
  expect(t.complaints).toEqual([])
})
