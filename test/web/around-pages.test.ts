import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { startWeb } from '../../src/web/start-web.ts'
import { sharedWeb, webOptionsOf } from './setup.ts'

const t = await sharedWeb()
const admin = await t.operator('admin')
const analyst = await t.operator('analyst')

const docs = resolve(import.meta.dirname, '../../docs')

test('each page links to the help about its section, in the language of the reader', async () => {
  const sections = { batches: 'ops', parked: 'ops', radars: 'analyst', changes: 'analyst', system: 'on-call' }
  for (const [section, name] of Object.entries(sections)) {
    expect(await t.page(`/${section}`, analyst), section).toMatch(new RegExp(`href="/help/${name}">.*>Help</span></a>`))
    expect(await t.page(`/${section}`, analyst, 'pt-BR'), section).toMatch(
      new RegExp(`href="/help/${name}">.*>Ajuda</span></a>`),
    )
  }
  expect(await t.page('/help/ops', analyst)).toContain('<h1 id="for-operations-files-in-reports-out">')
  const portuguese = await t.page('/help/ops', analyst, 'pt-BR')
  expect(portuguese).toContain('<h1 id="operações-do-arquivo-ao-relatório">')
  expect(portuguese).toContain('<section class="help" lang="pt-BR">')
  expect(await t.page('/help/lookups', analyst, 'pt-BR')).toContain('<section class="help" lang="en">')
})

test('every page of the docs and nothing else is shown, as it is written, and every link between them finds its heading', async () => {
  const names = readdirSync(docs).flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []))
  for (const language of ['en', 'pt-BR']) {
    const pages = new Map<string, string>()
    for (const name of names) pages.set(name, await t.page(`/help/${name}`, analyst, language))
    for (const [name, page] of pages) {
      const prose = page.split('<section class="help"')[1]!.replace(/<(code|pre)[\s\S]*?<\/\1>/g, '')
      expect([name, ...(prose.match(/^(?:#|```|\| ).*|\]\(|\*\*/gm) ?? [])]).toEqual([name])
      const links = [...page.matchAll(/href="(?:\/help\/([a-z-]+))?(?:#([^"]+))?"/g)].filter(([, to, at]) => to || at)
      const lost = links.filter(
        ([, to = name, at]) => !pages.get(to)?.includes(at ? ` id="${at}"` : '<h1') && at !== 'content',
      )
      expect(lost.map(([link]) => `${language} ${name}: ${link}`)).toEqual([])
    }
  }
  for (const path of ['/help/nothing', '/help/..%2FREADME', '/help/pt-BR%2Fops', '/help/ops.md']) {
    expect((await t.call(path, { token: analyst })).status, path).toBe(404)
  }
  expect((await t.call('/help/ops')).status).toBe(303)
  const page = await t.page('/help/files', analyst)
  expect(page).toContain('<code>&lt;name&gt;.report.xlsx</code>')
  expect(page).toContain('<code>--document-type CPF|CNPJ</code>')
  expect(page).toContain('<a href="/help/ops#the-inbox">where to drop what</a>')
})

test('one night gives no percentage of verified nights', async () => {
  const begin = (nightsAgo: number) => t.sql`
    insert into vigia.sweep (name, slot, state, trigger, due, verified, changed, started_at, finished_at)
    select 'radars', to_char(at, 'YYYY-MM-DD"T"HH24:MI'), 'done', 'schedule', 24, 24, 0, at, at
      from (select now() - ${nightsAgo} * interval '1 day' as at) as night`
  await begin(0)
  expect(await t.page('/radars', analyst)).not.toContain('the objective is 99%')
  await begin(3)
  expect(await t.page('/radars', analyst)).toContain('the objective is 99%')
})

test('every stylesheet, script and picture that a page links is there, and a registry in the settings is no sandbox', async () => {
  for (const path of ['/batches', '/system', '/radars', '/portfolios']) {
    const page = await t.page(path, admin)
    const linked = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, address]) => address!)
    expect(linked.length, path).toBeGreaterThan(0)
    for (const address of new Set(linked)) expect((await t.call(address)).status, address).toBe(200)
  }
  for (const path of pages) expect(await t.page(path, admin), path).not.toContain('class="sandbox')
})

const pages = ['/sign-in', '/batches', '/radars', '/system', '/nowhere']

test('every page says sandbox where the registry is the built-in one', async () => {
  const options = webOptionsOf(t)
  const web = await startWeb({ ...options, settings: { ...options.settings, registry: null } })
  for (const path of pages) {
    const read = (language: string) => t.page(new URL(path, web.url).href, analyst, language)
    expect(await read('en'), path).toContain('<span>You are using the registry built into Vigia.')
    expect(await read('pt-BR'), path).toContain('cobranças são fictícias')
  }
  await web.close()
})
