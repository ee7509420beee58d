import { expect, test } from 'vitest'
import { deleteOperator } from '../../src/store/people/operators.ts'
import { startWeb } from '../../src/web/start-web.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setupWeb, sharedWeb, type WebSetup, webOptionsOf } from './setup.ts'

const t = await sharedWeb()
const admin = await t.operator('admin')
const analyst = await t.operator('analyst')

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Signs in as a browser does, and returns the cookie and the CSRF token. */
const signIn = async (t: WebSetup, fields: Record<string, string>) => {
  const response = await t.call('/sign-in', { method: 'POST', headers: form, body: new URLSearchParams(fields) })
  const cookie = response.headers.get('set-cookie')
  const session = cookie?.split(';')[0] ?? ''
  const page = await (await t.call('/batches', { headers: { cookie: session } })).text()
  return { response, cookie, session, csrf: /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '', page }
}

test('without signing in, only the sign-in page and the health checks answer', async () => {
  const page = await t.call('/batches')
  expect([page.status, page.headers.get('location')]).toEqual([303, '/sign-in'])
  expect((await t.call('/api/batches')).status).toBe(401)
  expect((await t.call('/api/batches', { token: 'vig_wrong' })).status).toBe(401)
  expect((await t.call('/batches/1/pause', { method: 'POST' })).status).toBe(401)
  for (const path of ['/healthz', '/readyz', '/metrics', '/sign-in', '/api/openapi.json', '/assets/base.css']) {
    expect((await t.call(path)).status, path).toBe(200)
  }
})

test('an unknown address answers page not found to whoever has signed in', async () => {
  expect((await t.call('/nothing', { token: analyst })).status).toBe(404)
  expect((await t.call('/nothing')).headers.get('location')).toBe('/sign-in')
})

test('the sign-in link opens the page once, for an administrator', async () => {
  const link = new URL(t.web.signInLink!).searchParams.get('link')!
  expect(await (await t.call(`/sign-in?link=${link}`)).text()).toContain('name="link"')

  const first = await signIn(t, { link })
  expect(first.response.status).toBe(303)
  expect(first.cookie).toMatch(/HttpOnly; SameSite=Strict/)
  expect(first.page).toContain('administrator')
  const second = await signIn(t, { link })
  expect([second.response.status, second.cookie]).toEqual([401, null])
})

const began = Date.now()
let later = 0
const timed = await sharedWeb({ clock: () => new Date(began + later) })

test('the sign-in link does not work after ten minutes', async () => {
  const link = new URL(timed.web.signInLink!).searchParams.get('link')!
  later = 10 * 60_000
  expect((await signIn(timed, { link })).response.status).toBe(401)
  later -= 1
  expect((await signIn(timed, { link })).response.status).toBe(303)
})

test('an operator signs in with a token, and is gone with all sessions when removed', async () => {
  const { session, page } = await signIn(t, { token: await t.operator('ops', 'ana') })
  expect(page).toContain('<strong>ana</strong>')
  await deleteOperator(t.sql, 'ana')
  expect((await t.call('/batches', { headers: { cookie: session } })).status).toBe(303)
})

test('an expired token is refused, and its sessions end with it', async () => {
  later = 0
  const token = await timed.operator('ops', 'ana')
  await timed.sql`update vigia.operator set expires_at = ${new Date(began + 3_600_000)}`
  const { session } = await signIn(timed, { token })
  const statuses = async () => [
    (await timed.call('/api/batches', { token })).status,
    (await timed.call('/api/batches', { headers: { cookie: session } })).status,
    (await signIn(timed, { token })).response.status,
  ]
  later = 3_599_999
  expect(await statuses()).toEqual([200, 200, 303])
  later = 3_600_000
  expect(await statuses()).toEqual([401, 401, 401])
})

test('a cookie is marked secure where the page is reached over https', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  const cookieBehind = async (proto: string) => {
    const headers = { ...form, 'x-forwarded-proto': proto }
    const response = await t.call('/sign-in', { method: 'POST', headers, body: new URLSearchParams({ token }) })
    return response.headers.get('set-cookie')
  }
  // Each proxy appends its own protocol; the first is the one that the browser connects to.
  for (const proto of ['https', 'https,http', 'HTTPS , http']) expect(await cookieBehind(proto)).toContain('Secure')
  for (const proto of ['http', 'http, https', 'httpsx', '']) expect(await cookieBehind(proto)).not.toContain('Secure')
})

test('a form needs the token of its session, and an API call with a cookie does too', async () => {
  const id = await t.done(csvOf(cpfs(1)))
  const { session, csrf } = await signIn(t, { token: await t.operator('admin') })
  const reveal = `/batches/${id}/rows/2/reveal`
  const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const sent = { headers: { ...form, cookie: session, ...headers }, body: new URLSearchParams(fields) }
    return (await t.call(path, { method: 'POST', ...sent })).status
  }

  expect(await post(reveal, {})).toBe(403)
  expect(await post(reveal, { csrf: 'wrong' })).toBe(403)
  expect(await post(`/api/lanes/${lane}/resume`, {})).toBe(403)
  expect(await post(reveal, { csrf }, { origin: 'https://elsewhere.example' })).toBe(403)
  expect(await post(reveal, { csrf })).toBe(200)
})

test('signing in is slowed down after ten attempts a minute', async () => {
  await using t = await setupWeb()
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) statuses.push((await signIn(t, { token: 'vig_wrong' })).response.status)
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
  expect(statuses.slice(10)).toEqual([429, 429])
})

test('a page on this machine answers only to the names of this machine', async () => {
  const { port } = new URL(t.web.url)
  const { request } = await import('node:http')
  const ask = (host: string) =>
    new Promise<number>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/sign-in', headers: { host } }, (response) => {
        response.resume()
        resolve(response.statusCode!)
      })
        .on('error', reject)
        .end()
    })
  expect(await ask(`localhost:${port}`)).toBe(200)
  expect(await ask(`127.0.0.1:${port}`)).toBe(200)
  expect(await ask(`rebound.example:${port}`)).toBe(400)
})

test('on another host the page prints no sign-in link', async () => {
  const web = await startWeb(webOptionsOf(t, { host: '0.0.0.0', loopback: false }))
  await web.close()
  expect(web.signInLink).toBeNull()
})

test('every page carries the headers that keep foreign content out', async () => {
  const { headers } = await t.call('/sign-in')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('content-security-policy')).not.toContain('unsafe')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
})

test.each([
  '/api/batches?search=%00',
  '/api/batches?state=a%00b',
  '/api/radars?search=%00',
  '/batches?search=%00',
  '/radars?search=x%00',
  '/portfolios/%00',
  '/api/portfolios/a%00',
  '/system?lane=%00',
])('a NUL in an address is a wrong request, not a failure: %s', async (path) => {
  expect((await t.call(path, { token: admin })).status).toBe(400)
})

const lane = `${t.sandbox.account.organizationId}/scr`

test.each([
  ...['\ud800', '\udc00', 'a\ud83d', 'a\0b'].map((reason) => [`/api/lanes/${lane}/hold`, { reason }] as const),
  ['/system/lanes/hold', { lane, reason: 'a\0' }],
  ['/radars', { search: '\0' }],
] as const)('a NUL or half a character in a body is a wrong request, not a failure: %s %j', async (path, fields) => {
  expect((await t.post(path, admin, fields)).status).toBe(400)
})

test('a character of two halves is text', async () => {
  expect((await t.post(`/api/lanes/${lane}/hold`, admin, { reason: '\ud83d\ude00' })).status).toBe(200)
})
