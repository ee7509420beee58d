import { expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import { boundOperator, mine, other, othersIn, sharedTwo, tags } from './two-organizations.ts'

const t = await sharedTwo()
const bound = await boundOperator(t, mine)

test('an operator of one organization works for it as before', async () => {
  const { batch, asked, lookup, portfolio } = t.things.mine
  const read = async (path: string) => (await t.call(path, { token: bound })).json()
  const own = await t.sql`select from vigia.batch where organization_id = ${mine.organizationId} and source <> 'sweep'`
  expect((await read('/api/batches')).batches).toHaveLength(own.length)
  expect((await read(`/api/batches/${batch}/rows`)).rows).toHaveLength(5)
  expect((await read('/api/parked')).parked).toMatchObject([{ lookup: Number(lookup) }])
  expect((await read('/api/portfolios')).portfolios).toHaveLength(1)
  expect((await read('/api/radars')).radars).toHaveLength(2)
  expect((await read('/api/usage')).today).toBeNull()
  expect((await read('/api/lanes')).held).toMatchObject([{ lane: `${mine.organizationId}/scr` }])
  expect((await read('/api/audit')).entries.length).toBeGreaterThan(3)
  expect(await t.page('/changes', bound)).toContain('2 of 2')
  const post = (path: string) => t.post(path, bound)
  expect((await post(`/api/batches/${asked}/cancel`)).status).toBe(200)
  expect((await post(`/api/portfolios/${portfolio}/pause`)).status).toBe(200)
  expect((await post(`/api/lanes/${mine.organizationId}/scr/resume`)).status).toBe(200)
  for (const shut of ['/api/sweeps', '/api/workers', '/api/alerts', '/rules', '/metrics'])
    expect((await t.call(shut, { token: bound })).status, shut).toBe(403)
})

test('an operator of one organization looks up documents for it only, and finds only its people', async () => {
  const lookUp = (body: object) =>
    t.call('/api/lookups', {
      token: bound,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ document: cpf(1), kind: 'processes', ...body }),
    })
  expect((await lookUp({ organization: other.organizationId })).status).toBe(422)
  const { batch } = (await (await lookUp({})).json()) as { batch: number }
  expect(await t.finished(BigInt(batch))).toMatchObject({ organizationId: BigInt(mine.organizationId) })

  const search = async (document: string) => {
    const found = await t.post('/person', bound, { document })
    const page = await t.call(found.headers.get('location')!, { token: bound })
    expect(page.status).toBe(200)
    return (await page.text()).replaceAll(document, '')
  }
  expect(await search('radar')).toContain(`${tags[mine.organizationId]} `)
  expect(othersIn(await search('radar'))).toEqual([])
  const address = await t.post('/person', bound, { document: cpf(2) })
  const look = `${address.headers.get('location')}/lookup`
  const looked = await t.post(look, bound, { kind: 'processes' })
  expect(looked.status).toBe(303)
})

test('a live page ends when its operator is moved to other organizations', async () => {
  const token = await boundOperator(t, mine, 'moved')
  const response = await t.call('/batches/live', { token })
  await t.sql`update vigia.operator set organizations = ${[BigInt(other.organizationId)]} where name = 'moved'`
  const text = await response.text()
  expect(text).toMatch(/event: over\ndata: over\n\n$/)
  expect(othersIn(text)).toEqual([])
})
