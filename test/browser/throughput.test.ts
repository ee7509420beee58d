import { expect, test } from 'vitest'
import { latencyLimits, latencyPlace } from '../../src/domain/pace.ts'
import { addThroughput } from '../../src/store/fleet/workers.ts'
import { browse } from './browse.ts'

test('the last hour has plots of look-ups per second, latency and failed calls, and they follow the workers', async () => {
  await using t = await browse()
  const page = await t.signedIn('ops', { locale: 'pt-BR' })
  await page.goto('/system')
  await page.getByText('O serviço não foi chamado na última hora.').waitFor()

  const ago = new Date(t.tools.clock().getTime() - 30 * 60_000)
  const calls = latencyLimits.map((_, place) => (place === latencyPlace(0.3) ? 240 : 0))
  await addThroughput(t.sql, ago, { lookups: 120, failures: 7, calls })
  await page.locator('.plot.times canvas').nth(2).waitFor()
  const text = '120 consultas encerradas; 240 chamadas ao serviço, 7 sem resposta válida.'
  await page.getByText(text).waitFor()
  await page.getByText('Metade das chamadas levou até 0,32 s').waitFor()
  const drawn = page.getByRole('img', { name: 'Consultas por segundo' })
  const most = async () => Math.max(...JSON.parse((await drawn.getAttribute('data-plot'))!).values)
  expect(await most()).toBe(2)

  await drawn.locator('canvas').evaluate((canvas) => canvas.setAttribute('data-first', ''))
  await addThroughput(t.sql, ago, { lookups: 60, failures: 0, calls })
  await drawn.locator('canvas:not([data-first])').waitFor()
  expect(await most()).toBe(3)
  expect(t.complaints).toEqual([])
})
