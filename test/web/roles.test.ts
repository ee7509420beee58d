import { expect, test } from 'vitest'
import { formatDocument, maskDocument } from '../../src/domain/document.ts'
import { listAudit } from '../../src/views/installation.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { setupWeb, sharedWeb, type WebSetup } from './setup.ts'

const t = await sharedWeb()

const statusOf = async (t: WebSetup, token: string, method: string, path: string, body?: string) => {
  const headers = body ? { 'content-type': 'application/json' } : undefined
  return (await t.call(path, { token, method, headers, body })).status
}

test('an analyst reads and downloads, ops also control batches, an administrator also settles purchases and reads the log', async () => {
  const id = await t.done(csvOf(cpfs(2)))
  const lane = `${t.sandbox.account.organizationId}/scr`
  const doors: [string, string, string?][] = [
    ['GET', `/batches/${id}`],
    ['GET', `/batches/${id}/files/report`],
    ['POST', `/api/lanes/${lane}/hold`, '{"reason":"audit"}'],
    ['POST', `/api/lanes/${lane}/resume`],
    ['GET', `/api/batches/${id}/retry`],
    ['POST', '/api/sweeps/usage'],
    ['GET', '/system/audit'],
    ['GET', '/system/sweeps/purge/run'],
    ['POST', '/system/sweeps/purge/run'],
    ['POST', '/api/sweeps/purge'],
    ['POST', `/batches/${id}/rows/2/reveal`],
    ['POST', `/api/batches/${id}/rows/2/resolve`, '{"drop":true}'],
    ['POST', '/api/parked/1/resolve', '{"drop":true}'],
  ]
  const shutTo = async (token: string) => {
    const shut: typeof doors = []
    for (const door of doors) if ((await statusOf(t, token, ...door)) === 403) shut.push(door)
    return shut
  }
  expect(await shutTo(await t.operator('analyst'))).toEqual(doors.slice(2))
  expect(await shutTo(await t.operator('ops'))).toEqual(doors.slice(6))
  expect(await shutTo(await t.operator('admin'))).toEqual([])
})

test('no page shows a full document until an administrator asks, and the audit log records it', async () => {
  const token = await t.operator('admin', 'carla')
  const document = cpf(30)
  const id = await t.done(csvOf([document]))
  const paths = [`/batches/${id}`, `/batches/${id}/rows/2`, `/batches/${id}/risk/top`, `/api/batches/${id}/rows`]
  for (const path of paths) {
    const text = await t.page(path, token)
    expect(text, path).toContain(maskDocument(document))
    expect(text, path).not.toContain(document)
    expect(text, path).not.toContain(formatDocument(document))
  }
  const revealed = await t.post(`/batches/${id}/rows/2/reveal`, token)
  expect(await revealed.text()).toContain(formatDocument(document))
  const [entry] = await listAudit(t.sql, 1)
  expect(entry).toMatchObject({ who: 'carla', what: 'reveal', subject: `batch ${id} line 2` })
})

test('every download is in the audit log, and no name becomes a path', async () => {
  const token = await t.operator('analyst', 'bruno')
  const id = await t.done(csvOf(cpfs(3, 10)), { fileName: '../../etc/ção "x".csv' })
  const response = await t.call(`/batches/${id}/files/report`, { token })
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="__o _x_.${id}.report.csv"; filename*=UTF-8''${encodeURIComponent(`ção _x_.${id}.report.csv`)}`,
  )
  expect(await response.text()).toMatch(/^\uFEFF?documento;result_status/)
  const [entry] = await listAudit(t.sql, 1)
  expect(entry).toMatchObject({ who: 'bruno', what: 'download', detail: { file: 'report' } })
  expect((await t.call(`/batches/${id}/files/..%2f..%2fetc`, { token })).status).toBe(404)
})

test('an administrator erases a person, and no page finds them afterwards', async () => {
  const token = await t.operator('admin', 'carla')
  const id = await t.done(csvOf(cpfs(3, 20)))
  const erase = (document: string) => t.post('/api/purge', token, { document })
  expect((await erase('12')).status).toBe(422)
  expect(await (await erase(formatDocument(cpf(21)))).json()).toMatchObject({ lookups: 1, batches: [Number(id)] })
  expect(await t.page(`/api/batches/${id}/rows`, token)).not.toContain(maskDocument(cpf(21)))
  const [entry] = await listAudit(t.sql, 1)
  expect(entry).toMatchObject({ who: 'carla', what: 'erase' })
})

const refusedEntries = async (t: WebSetup) =>
  (await listAudit(t.sql, 1_000)).filter(({ what }) => what === 'refused').reverse()

const refusedLines = (t: WebSetup) =>
  t.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request refused')

test('a failed sign-in, a wrong bearer, a missing right and a foreign form each leave a line, an entry and a count, and two hundred more one entry', async () => {
  await using t = await setupWeb()
  const analyst = await t.operator('analyst', 'bruno')
  await t.post('/sign-in', '', { token: 'vig_wrong' })
  await t.post('/sign-in', '', { link: 'wrong' })
  await t.call('/api/batches', { token: 'vig_wrong' })
  await t.call('/system/audit', { token: analyst })
  await t.call('/sign-in', { method: 'POST', headers: { origin: 'https://elsewhere.example' } })
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

  for (let i = 0; i < 10; i++)
    await Promise.all(Array.from({ length: 20 }, () => t.call('/api/batches', { token: 'vig_wrong' })))
  expect(await refusedEntries(t)).toHaveLength(4)
  await t.web.close()
  // The first bearer followed the first token; the link, the right and the form were alone.
  expect((await refusedEntries(t)).slice(4)).toMatchObject([{ detail: { code: 'wrong_token', count: 201 } }])
  expect(refusedLines(t)).toHaveLength(5)
})
