import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { setupWeb } from './setup.ts'

test('every page opens', async () => {
  await using t = await setupWeb()
  const token = await t.operator('admin')
  const batch = await t.finished(await t.submit(csvOf([...cpfs(60), '123'])))
  for (const path of ['/batches', `/batches/${batch.id}`, `/batches/${batch.id}/rows`, `/batches/${batch.id}/rejects`, `/batches/${batch.id}/rows/2`, `/batches/${batch.id}/risk`, `/batches/${batch.id}/risk/figures`, `/batches/${batch.id}/files/report`, '/parked', '/radars', '/changes', '/system', '/system/audit', '/healthz', '/readyz', '/metrics', '/api/batches', `/api/batches/${batch.id}`, `/api/batches/${batch.id}/rows`, '/api/openapi.json', '/api/lanes','/api/workers','/api/sweeps','/api/usage','/api/audit','/api/radars','/api/radars/changes', '/sign-in', '/assets/vigia.css', '/assets/htmx.min.js', '/assets/uPlot.min.css', '/batches/all/retry', '/batches/all/pause']) {
    const response = await t.call(path, { token })
    const text = await response.text()
    if (response.status !== 200) console.log(path, response.status, text.slice(0, 500), t.logged.slice(-2))
    expect(response.status).toBe(200)
  }
})
