import { expect, test } from 'vitest'
import { listAudit } from '../../src/views/installation.ts'
import { setupWeb, type WebSetup } from './setup.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

const refusedEntries = async (t: WebSetup) =>
  (await listAudit(t.sql, 1_000)).filter(({ what }) => what === 'refused').reverse()

const refusedLines = (t: WebSetup) =>
  t.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request refused')

test('a failed sign-in, a wrong bearer, a missing right and a foreign form each leave a line, an entry and a count', async () => {
  await using t = await setupWeb()
  const analyst = await t.operator('analyst', 'bruno')
  await t.call('/sign-in', { method: 'POST', headers: form, body: 'token=vig_wrong' })
  await t.call('/sign-in', { method: 'POST', headers: form, body: 'link=wrong' })
  await t.call('/api/batches', { token: 'vig_wrong' })
  await t.call('/system/audit', { token: analyst })
  await t.call('/sign-in', {
    method: 'POST',
    headers: { ...form, origin: 'https://elsewhere.example' },
    body: 'token=',
  })
  await t.call('/batches')

  const source = '127.0.0.1'
  expect((await refusedEntries(t)).map(({ who, subject, detail }) => ({ who, subject, ...detail }))).toEqual([
    { who: 'nobody', subject: 'page', source, code: 'wrong_token', route: '/sign-in', count: 1 },
    { who: 'nobody', subject: 'page', source, code: 'used_link', route: '/sign-in', count: 1 },
    { who: 'bruno', subject: 'page', source, code: 'not_allowed', route: '/system/audit', count: 1 },
    { who: 'nobody', subject: 'page', source, code: 'stale_form', route: '/sign-in', count: 1 },
  ])
  expect(refusedLines(t).map(({ code }) => code)).toEqual(['wrong_token', 'used_link', 'not_allowed', 'stale_form'])
  expect(t.logged.join('')).not.toContain('vig_wrong')
  const metrics = await (await t.call('/metrics')).text()
  expect(metrics).toContain('vigia_refusals_total{code="wrong_token"} 2')
  expect(metrics).toContain('vigia_refusals_total{code="not_allowed"} 1')
})

test('two hundred attempts leave two entries: the first at once, and how many followed', async () => {
  await using t = await setupWeb()
  for (let i = 0; i < 10; i++)
    await Promise.all(Array.from({ length: 20 }, () => t.call('/api/batches', { token: 'vig_wrong' })))
  expect(await refusedEntries(t)).toHaveLength(1)
  await t.web.close()
  expect((await refusedEntries(t)).map(({ detail }) => detail.count)).toEqual([1, 199])
  expect(refusedLines(t)).toHaveLength(2)
})
