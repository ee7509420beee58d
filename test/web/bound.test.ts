import { expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import { boundOperator, mine, other, othersIn, setupTwo, tags } from './two-organizations.ts'

test('an operator of one organization works for it as before', async () => {
  await using t = await setupTwo()
  const token = await boundOperator(t, mine)
  const { batch, asked, lookup, portfolio } = t.things.mine
  const read = async (path: string) => (await t.call(path, { token })).json()
  expect((await read('/api/batches')).batches).toHaveLength(3)
  expect((await read(`/api/batches/${batch}/rows`)).rows).toHaveLength(5)
  expect((await read('/api/parked')).parked).toMatchObject([{ lookup: Number(lookup) }])
  expect((await read('/api/portfolios')).portfolios).toHaveLength(1)
  expect((await read('/api/radars')).radars).toHaveLength(2)
  expect((await read('/api/usage')).today).toBeNull()
  expect((await read('/api/lanes')).held).toMatchObject([{ lane: `${mine.organizationId}/scr` }])
  expect((await read('/api/audit')).entries.length).toBeGreaterThan(3)
  expect(await (await t.call('/changes', { token })).text()).toContain('2 of 2')
  const post = (path: string) => t.call(path, { token, method: 'POST' })
  expect((await post(`/api/batches/${asked}/cancel`)).status).toBe(200)
  expect((await post(`/api/portfolios/${portfolio}/pause`)).status).toBe(200)
  expect((await post(`/api/lanes/${mine.organizationId}/scr/resume`)).status).toBe(200)
  for (const shut of ['/api/sweeps', '/api/workers', '/api/alerts', '/rules', '/metrics'])
    expect((await t.call(shut, { token })).status, shut).toBe(403)
})

test('an operator of one organization looks up documents for it only, and finds only its people', async () => {
  await using t = await setupTwo()
  const token = await boundOperator(t, mine)
  const lookUp = (body: object) =>
    t.call('/api/lookups', {
      token,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ document: cpf(1), kind: 'processes', ...body }),
    })
  expect((await lookUp({ organization: other.organizationId })).status).toBe(422)
  const { batch } = (await (await lookUp({})).json()) as { batch: number }
  expect(await t.finished(BigInt(batch))).toMatchObject({ organizationId: BigInt(mine.organizationId) })

  const search = async (document: string) => {
    const found = await t.call('/person', { token, method: 'POST', body: new URLSearchParams({ document }) })
    const page = await t.call(found.headers.get('location')!, { token })
    expect(page.status).toBe(200)
    return (await page.text()).replaceAll(document, '')
  }
  expect(await search('radar')).toContain(`${tags[mine.organizationId]} `)
  expect(othersIn(await search('radar'))).toEqual([])
  const address = await t.call('/person', { token, method: 'POST', body: new URLSearchParams({ document: cpf(2) }) })
  const look = `${address.headers.get('location')}/lookup`
  const looked = await t.call(look, { token, method: 'POST', body: new URLSearchParams({ kind: 'processes' }) })
  expect(looked.status).toBe(303)
})

test('a live page ends when its operator is moved to other organizations', async () => {
  await using t = await setupTwo()
  const token = await boundOperator(t, mine)
  const response = await t.call('/batches/live', { token })
  await t.sql`update vigia.operator set organizations = ${[BigInt(other.organizationId)]}`
  const text = await response.text()
  expect(text).toMatch(/event: over\ndata: over\n\n$/)
  expect(othersIn(text)).toEqual([])
})
