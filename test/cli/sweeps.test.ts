import { expect, test } from 'vitest'
import { sweepPreview } from '../../src/views/sweep.ts'
import { cpfs } from '../support/documents.ts'
import { installHere as install } from './vigia-process.ts'

test('a dry run shows people what a sweep would do and cost, and scripts the described keys', async () => {
  await using t = await install({ budget: { perBatch: 2, unitPrice: { amount: '1.90', currency: 'BRL' } } })
  for (const code of cpfs(5)) t.sandbox.plantRadar({ code, name: 'Fulano' })
  const dryRun = async (name: string) => (await t.vigia('sweep', name, '--dry-run')).stdout

  const radars = await dryRun('radars')
  expect(radars).toMatch(/^ORGANIZATION +LISTED +KNOWN +MISSING +TO LOOK AT +TO BUY +NOTE\n/)
  expect(radars).toMatch(/^ +7001 +5 +0 +0 +5 +2 +3 more, beyond budget\.perBatch$/m)
  expect(radars).toMatch(/\nNothing was done\. A sweep of radars would buy up to 2 analyses \(R\$3\.80\)\.\n$/)
  const would = 'Nothing was done. A sweep of'
  expect(await dryRun('purge')).toBe(`${would} purge would delete 0 batches and 0 look-ups.\n`)
  expect(await dryRun('usage')).toBe(
    `${would} usage would read the registry’s usage of 1 organization, and buy nothing.\n`,
  )
  expect(await dryRun('unfinished')).toBe(
    `${would} unfinished would read the tables of work under way, and buy nothing.\n`,
  )

  const { exitCode, ...shown } = await t.json('sweep', 'radars', '--dry-run')
  expect(exitCode).toBe(0)
  expect(sweepPreview.strict().parse(shown)).toEqual(shown)
  expect(await t.json('sweep', 'radars')).toMatchObject({ sweep: null, analysesToBuy: shown.analysesToBuy })
  expect(t.sandbox.charges()).toBe(0)
})
