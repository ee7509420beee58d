import { expect, test } from 'vitest'
import { setupWeb } from './setup.ts'

test('every stylesheet, script and picture that a page links is there', async () => {
  await using t = await setupWeb()
  const token = await t.operator('admin')
  for (const path of ['/batches', '/system', '/radars', '/portfolios']) {
    const page = await (await t.call(path, { token, headers: { accept: 'text/html' } })).text()
    const linked = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, address]) => address!)
    expect(linked.length, path).toBeGreaterThan(0)
    for (const address of new Set(linked)) expect((await t.call(address)).status, address).toBe(200)
  }
})
