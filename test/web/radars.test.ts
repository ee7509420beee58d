import { expect, test } from 'vitest'
import { listAudit } from '../../src/views/installation.ts'
import { sweepRadars } from '../monitoring/sweep.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { setupWeb, type WebSetup } from './setup.ts'

const twoMore = { name: 'Two more', when: 'count_grows', figure: '2', severity: 'critical', class_processes: 'on' }
const onlyProcesses = { refresh: 'processes', analysisEvery: null }

test('an administrator adds a rule, sees the alerts it would have sent, and nobody is notified until it is on', async () => {
  await using t = await setupWeb({ config: { radarSweep: onlyProcesses } })
  const admin = await t.operator('admin')
  t.sandbox.plantRadar({ code: cpf(1) })
  await nightWith(t, 1)
  await nightWith(t, 4)

  expect((await send(t, admin, '/rules', twoMore)).headers.get('location')).toBe('/rules?notice=rule_added')
  const page = await readPage(t, admin)
  expect(page).toContain('1 in 1 nights')
  expect(page).toContain('Switch on')
  await nightWith(t, 7)
  expect(await met(t)).toEqual([])

  await send(t, admin, '/rules/1/on', {})
  await nightWith(t, 10)
  expect(await met(t)).toEqual([{ rule: 'Two more', severity: 'critical', notified: true }])
  const { rules } = await t.json('/api/rules', admin)
  expect(rules).toMatchObject([{ name: 'Two more', on: true, from: 'page', by: 2, classes: ['processes'] }])

  await send(t, admin, '/rules/1/off', {})
  await nightWith(t, 13)
  await send(t, admin, '/rules/1/remove', {})
  expect(await met(t)).toHaveLength(1)
  expect((await listAudit(t.sql, 4)).map(({ what }) => what)).toEqual([
    'remove rule',
    'switch rule off',
    'switch rule on',
    'add rule',
  ])
})

test('a rule without a condition, with a document in its name or with the name of another is refused, and only an administrator adds one', async () => {
  const rules = [{ name: 'Gone', when: 'radar_removed' }]
  await using t = await setupWeb({ config: { rules } })
  const [admin, ops] = [await t.operator('admin'), await t.operator('ops')]
  for (const wrong of [
    { ...twoMore, name: '' },
    { ...twoMore, name: `about ${cpf(1)}` },
    { ...twoMore, name: 'gone' },
    { ...twoMore, figure: '0' },
    { ...twoMore, when: 'value_grows' },
    { ...twoMore, when: 'sometimes' },
    { ...twoMore, quiet: '-1' },
  ])
    expect([409, 422], JSON.stringify(wrong)).toContain((await send(t, admin, '/rules', wrong)).status)
  expect((await send(t, admin, '/rules/7/on', {})).status).toBe(404)
  expect((await send(t, ops, '/rules', twoMore)).status).toBe(403)
  expect(await readPage(t, ops)).not.toContain('Add a rule')
  expect(await t.sql`select from vigia.rule`).toHaveLength(0)
})

const nightWith = async (t: WebSetup, processes: number): Promise<void> => {
  t.sandbox.plantChange(cpf(1), { processes })
  await sweepRadars(t)
}

const send = (t: WebSetup, token: string, path: string, form: Record<string, string>) => t.post(path, token, form)

const readPage = async (t: WebSetup, token: string): Promise<string> => t.page('/rules', token, 'en')

const met = (t: WebSetup) => t.sql`select rule, severity, notified from vigia.rule_met order by change_id`

test('a search among radars continues where its page ended, and lists a document of two organizations twice', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  const found = cpfs(120)
  await t.sql`
    insert into vigia.radar (organization_id, document, document_type, name, seen_at)
    select organization_id, document, 'CPF', 'Acme', now()
      from unnest(${found}::text[]) document, unnest(array[1, 2]) organization_id
     union all
    select 1, ${cpf(400)}, 'CPF', 'A first Acme', now()
     union all
    select 1, document, 'CPF', 'Zebra', now() from unnest(${cpfs(30, 500)}::text[]) document`
  const search = async (after?: string): Promise<string[]> => {
    const body = new URLSearchParams({ search: 'acme', ...(after && { after }) })
    const page = await (await t.call('/radars', { token, method: 'POST', body })).text()
    const links = page.match(/href="\/radars\/[^"?]+"/g) ?? []
    const next = /name="after" value="([^"]+)"/.exec(page)?.[1]
    expect(page).not.toContain('Zebra')
    return next ? [...links, ...(await search(next))] : links
  }
  const links = await search()
  expect(links).toHaveLength(241)
  expect(new Set(links).size).toBe(241)
})
