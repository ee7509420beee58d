import { expect, test } from 'vitest'
import { listAudit } from '../../src/views/installation.ts'
import { sweepRadars } from '../monitoring/sweep.ts'
import { cpf, cpfs } from '../support/documents.ts'
import { sharedWeb } from './setup.ts'

const twoMore = { name: 'Two more', when: 'count_grows', figure: '2', severity: 'critical', class_processes: 'on' }
const radarSweep = { refresh: 'processes', analysisEvery: null }
const t = await sharedWeb({ config: { radarSweep, rules: [{ name: 'Gone', when: 'radar_removed' }] } })
const admin = await t.operator('admin')

test('an administrator adds a rule, sees the alerts it would have sent, and nobody is notified until it is on', async () => {
  t.sandbox.plantRadar({ code: cpf(1) })
  await nightWith(1)
  await nightWith(4)

  expect((await t.post('/rules', admin, twoMore)).headers.get('location')).toBe('/rules?notice=rule_added')
  const page = await t.page('/rules', admin)
  expect(page).toContain('1 in 1 nights')
  // It lies on a sheet, as all tables do.
  expect(page).toMatch(/<section[^>]*><div class="table-scroll">/)
  expect(page).toContain('Switch on')
  await nightWith(7)
  expect(await met()).toEqual([])

  await t.post('/rules/1/on', admin)
  await nightWith(10)
  expect(await met()).toEqual([{ rule: 'Two more', severity: 'critical', notified: true }])
  const { rules } = await t.json('/api/rules', admin)
  const ours = rules.find(({ from }: { from: string }) => from === 'page')
  expect(ours).toMatchObject({ name: 'Two more', on: true, by: 2, classes: ['processes'] })

  await t.post('/rules/1/off', admin)
  await nightWith(13)
  await t.post('/rules/1/remove', admin)
  expect(await met()).toHaveLength(1)
  expect((await listAudit(t.sql, 4)).map(({ what }) => what)).toEqual([
    'remove rule',
    'switch rule off',
    'switch rule on',
    'add rule',
  ])
})

test('a rule without a condition, with a document in its name or with the name of another is refused, and only an administrator adds one', async () => {
  const ops = await t.operator('ops')
  for (const wrong of [
    { ...twoMore, name: '' },
    { ...twoMore, name: `about ${cpf(1)}` },
    { ...twoMore, name: 'gone' },
    { ...twoMore, figure: '0' },
    { ...twoMore, when: 'value_grows' },
    { ...twoMore, when: 'sometimes' },
    { ...twoMore, quiet: '-1' },
  ])
    expect([409, 422], JSON.stringify(wrong)).toContain((await t.post('/rules', admin, wrong)).status)
  expect((await t.post('/rules/7/on', admin)).status).toBe(404)
  expect((await t.post('/rules', ops, twoMore)).status).toBe(403)
  expect(await t.page('/rules', ops)).not.toContain('Add a rule')
  expect(await t.sql`select from vigia.rule`).toHaveLength(0)
})

const nightWith = async (processes: number): Promise<void> => {
  t.sandbox.plantChange(cpf(1), { processes })
  await sweepRadars(t)
}

const met = () => t.sql`select rule, severity, notified from vigia.rule_met order by change_id`

test('a search among radars continues where its page ended, and lists a document of two organizations twice', async () => {
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
    const page = await (await t.post('/radars', admin, { search: 'acme', ...(after && { after }) })).text()
    const links = page.match(/href="\/radars\/[^"?]+"/g) ?? []
    const next = /name="after" value="([^"]+)"/.exec(page)?.[1]
    expect(page).not.toContain('Zebra')
    return next ? [...links, ...(await search(next))] : links
  }
  const links = await search()
  expect(links).toHaveLength(241)
  expect(new Set(links).size).toBe(241)
})
