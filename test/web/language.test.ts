import { expect, test } from 'vitest'
import { readBatch } from '../../src/store/batches/batches.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupWeb, type WebSetup } from './setup.ts'

const headers = { 'content-type': 'application/x-www-form-urlencoded' }

const choose = (t: WebSetup, fields: Record<string, string>) =>
  t.call('/language', { method: 'POST', headers, body: new URLSearchParams(fields) })

test('every page has a language switch, the sign-in page too, and the choice overrides the browser', async () => {
  await using t = await setupWeb()
  const token = await t.operator('admin')
  const id = await t.submit(csvOf(cpfs(2)))
  await t.finished(id)
  const paths = ['/batches', `/batches/${id}`, `/batches/${id}/rows/2`, '/parked', '/radars', '/changes', '/system']
  for (const path of [...paths, '/system/audit', '/nowhere']) {
    const text = await (await t.call(path, { token })).text()
    expect(text, path).toContain('<html lang="en"')
    expect(text, path).toContain(`name="back" value="${path}"`)
    expect(text, path).toContain('Português')
  }
  const chosen = await choose(t, { language: 'pt-BR', back: '/sign-in?out=1' })
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/sign-in?out=1'])
  const cookie = chosen.headers.get('set-cookie')!.split(';')[0]!
  const signIn = await (await t.call('/sign-in', { headers: { cookie, 'accept-language': 'en' } })).text()
  expect(signIn).toContain('<html lang="pt-BR"')
  expect(signIn).toContain('English')
})

test('the switch leads back only to this site, repeats no notice, and accepts no other language', async () => {
  await using t = await setupWeb()
  for (const back of ['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 'batches', '']) {
    expect((await choose(t, { language: 'en', back })).headers.get('location'), back).toBe('/batches')
  }
  const spellings = [
    '/.//',
    '/..//',
    '/%2e//',
    '/.%2E//',
    '/./\\',
    '/\t/',
    '/.\n//',
    '///',
    '/x/..//',
    '/\\\\',
    '/.///',
    '/;/..//',
  ]
  for (const spelling of spellings) {
    const back = `${spelling}elsewhere.example`
    const location = (await choose(t, { language: 'en', back })).headers.get('location')!
    expect(new URL(location, t.web.url).origin, JSON.stringify(back)).toBe(new URL(t.web.url).origin)
  }
  expect((await choose(t, { language: 'en', back: '/batches?a=//b#c' })).headers.get('location')).toBe('/batches?a=//b')
  expect((await choose(t, { language: '<x>', back: '/radars' })).headers.get('set-cookie')).toBeNull()
  const token = await t.operator('admin')
  const page = await (await t.call('/system?notice=erased&x=1', { token })).text()
  expect(page).toContain('name="back" value="/system?x=1"')
})

test('a thousand rows are 1,000 on the English page and 1.000 on the Portuguese one', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  const id = await t.submit(csvOf(cpfs(1_000)), { confirmAbove: -1 })
  await until(async () => (await readBatch(t.sql, id))?.state === 'unconfirmed')
  const read = async (language: string) =>
    (await t.call('/batches', { token, headers: { 'accept-language': language } })).text()
  expect(await read('en')).toMatch(/class="number">1,000</)
  expect(await read('pt-BR')).toMatch(/class="number">1\.000</)
})
