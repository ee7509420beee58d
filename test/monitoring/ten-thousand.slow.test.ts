import { expect, test } from 'vitest'
import { listChanges } from '../../src/views/change.ts'
import { cpfs } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { sweepByQueue } from './sweep.ts'

test('a sweep of 10,000 radars reports exactly the 2 % that changed, and the next one nothing', async () => {
  await using t = await setup({
    config: { concurrency: { worker: 64, fleet: 64 }, radarSweep: { refresh: 'processes', analysisEvery: null } },
  })
  const documents = cpfs(10_000)
  for (const code of documents) t.sandbox.plantRadar({ code })
  const planted = documents.filter((_, i) => i % 50 === 7)
  for (const document of planted) t.sandbox.plantChange(document, { processes: 1 })

  expect(await sweepByQueue(t, 'radars', 200_000)).toMatchObject({ due: 10_000, verified: 10_000, changed: 0 })
  for (const document of planted) t.sandbox.plantChange(document, { processes: 2 })
  expect(await sweepByQueue(t, 'radars', 200_000)).toMatchObject({
    due: 10_000,
    verified: 10_000,
    changed: planted.length,
  })
  const found = await listChanges(t.sql, { limit: 20_000 })
  expect(found.map(({ document, field }) => `${document} ${field}`).sort()).toEqual(
    planted.map((document) => `${document} processes`).sort(),
  )
  expect(await sweepByQueue(t, 'radars', 200_000)).toMatchObject({ due: 10_000, verified: 10_000, changed: 0 })
})
