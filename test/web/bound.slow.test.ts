import { expect, test } from 'vitest'
import { cpf } from '../support/documents.ts'
import type { WebSetup } from './setup.ts'
import {
  boundOperator,
  documentsOf,
  mine,
  other,
  othersIn,
  sharedTwo,
  type Things,
  tags,
  textOf,
} from './two-organizations.ts'

const t = await sharedTwo()
const bound = await boundOperator(t, mine)

const addressOf = (url: string, things: Things): string =>
  url
    .replace(/:(\w+)/g, (_, name: keyof Things) => encodeURIComponent(String(things[name] ?? '1')))
    .replace('*', 'base.css')

/** Everything that is stored for the other organization. */
const stateOfOther = async ({ sql }: WebSetup): Promise<string> => {
  const tables = ['batch', 'lookup', 'lane', 'portfolio', 'change', 'radar', 'upload', 'column_choice', 'purchase']
  const found = []
  for (const table of tables)
    found.push(
      await sql`select to_jsonb(x) as row from ${sql(`vigia.${table}`)} x where organization_id = ${other.organizationId} order by 1`,
    )
  return JSON.stringify(found)
}

const fieldsFor = (things: Things): Record<string, string> => ({
  organization: String(things.organization),
  lane: `${things.organization}/scr`,
  ids: `${things.batch}:0,${things.asked}:9`,
  document: documentsOf(other)[0]!,
  search: tags[other.organizationId]!,
  reason: 'because',
  note: 'seen',
  action: 'drop',
  choice: 'drop',
  name: 'x',
  every: '30d',
})

type Sent = { headers: Record<string, string>; body: BodyInit }

const bodiesFor = (url: string, things: Things): Sent[] => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fieldsFor(things))) form.append(name, value)
  form.append('file', new Blob([`documento\n${cpf(1)}\n`]), 'new.csv')
  const forms: Sent[] = [
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams(fieldsFor(things)) },
    { headers: {}, body: form },
  ]
  const json = (value: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
  const bodies = [{}, { reason: 'x' }, { note: 'x' }, { drop: true }, { document: documentsOf(other)[0] }]
  return url.startsWith('/api/') ? [...bodies.map(json), forms[1]!] : forms
}

test('an operator of one organization gets no byte of another, by any route', async () => {
  const free = await t.operator('admin', 'free')
  const gets = t.routes.filter(({ method, url }) => method === 'GET' && !url.startsWith('/assets/'))
  expect(gets.length).toBeGreaterThan(60)
  const seen: string[] = []
  for (const { url } of gets) {
    const own = addressOf(url, t.things.mine)
    const theirs = addressOf(url, t.things.other)
    const addresses = [
      theirs,
      own,
      addressOf(url, { ...t.things.mine, person: t.things.mine.sharedPerson }),
      addressOf(url, { ...t.things.mine, earlier: t.things.other.batch }),
      `${own}?with=${t.things.other.batch}&sweep=1&before=99999&state=unconfirmed`,
    ]
    for (const address of new Set(addresses)) {
      // The language switch keeps the address of the request.
      const text = (await textOf(await t.call(address, { token: bound }))).replaceAll(address, '')
      const asked = url.startsWith('/person/') ? [documentsOf(other)[0]!] : []
      expect(othersIn(text, asked), `GET ${address}: ${text.slice(0, 80)}`).toEqual([])
      expect(text, address).toMatch(/^[234]/)
    }
    if (othersIn(await textOf(await t.call(theirs, { token: free }))).length > 0) seen.push(url)
  }
  // The same requests by an operator of all organizations show the other organization nearly everywhere.
  expect(seen.length).toBeGreaterThan(40)
  expect(seen).toEqual(
    expect.arrayContaining(['/batches', '/parked', '/radars', '/changes', '/portfolios', '/system/audit']),
  )
  expect(seen).toEqual(
    expect.arrayContaining(['/api/batches', '/api/usage', '/api/lanes', '/api/audit', '/api/columns']),
  )
})

test('an operator of one organization changes nothing of another, by any route', async () => {
  const before = await stateOfOther(t)
  const posts = t.routes.filter(({ method }) => method === 'POST')
  expect(posts.length).toBeGreaterThan(40)
  for (const { url } of posts) {
    const address = addressOf(url, t.things.other)
    for (const { headers, body } of bodiesFor(url, t.things.other)) {
      const response = await t.call(address, { token: bound, method: 'POST', headers, body })
      const text = (await textOf(response)).replaceAll(`value="${tags[other.organizationId]}"`, '')
      const asked = [documentsOf(other)[0]!, String(other.organizationId)]
      expect(othersIn(text, asked), `POST ${address}: ${text.slice(0, 80)}`).toEqual([])
      expect(response.status, `POST ${address}`).toBeLessThan(500)
    }
  }
  expect(await stateOfOther(t)).toBe(before)
})
