import { expect, test } from 'vitest'
import { readBatch } from '../../src/store/batches/batches.ts'
import { deleteOperator } from '../../src/store/people/operators.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { sharedWeb } from './setup.ts'

const t = await sharedWeb()
const analyst = await t.operator('analyst')
const ops = await t.operator('ops')
/** Nothing is answered while a test runs. */
const slow = await sharedWeb({ sandbox: { readyAfterMs: 600_000 } })
const bia = await slow.operator('ops', 'bia')

test('a batch is followed by server-sent events until its report is there', async () => {
  const id = await t.submit(csvOf(cpfs(40)))
  const response = await t.call(`/batches/${id}/live`, { token: analyst })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const text = await response.text()
  expect(text).toMatch(/^data: <div class="batch-head">/)
  expect(text).toMatch(/event: over\ndata: over\n\n$/)
  expect(text.split('\n\n').at(-3)).toContain('state-done')
})

test('a stream ends with its session, and leads to the sign-in page afterwards', async () => {
  const frames: string[] = []
  const token = await t.operator('analyst', 'leaver')
  for await (const frame of framesOf(await t.call('/batches/live', { token }))) {
    frames.push(frame)
    await deleteOperator(t.sql, 'leaver')
    if (frame.startsWith('event: over')) break
  }
  expect(frames.at(-1)).toBe('event: over\ndata: over')

  const again = await t.call('/batches/live', { token, headers: { accept: 'text/html, text/event-stream' } })
  expect([again.status, await again.text()]).toEqual([200, 'event: over\ndata: over\n\n'])
  const piece = await t.call('/batches/1/rows', { token, headers: { accept: 'text/html', 'hx-request': 'true' } })
  expect([piece.status, piece.headers.get('hx-redirect')]).toEqual([401, '/sign-in'])
  expect((await t.call('/batches', { token })).headers.get('location')).toBe('/sign-in')
})

test('a worker is ready while the schema is current, and not when it drains', async () => {
  const ready = await t.call('/readyz')
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', database: 'current', draining: 'no' }])
  const [gone] = await t.sql`
    delete from vigia.migration m where name = (select max(name) from vigia.migration) returning to_jsonb(m) as row`
  expect((await t.call('/readyz')).status).toBe(503)
  expect((await t.call('/healthz')).status).toBe(200)
  await t.sql`insert into vigia.migration select * from jsonb_populate_record(null::vigia.migration, ${t.sql.json(gone!.row)})`
})

/** The frames of a stream, one by one, until the caller stops reading. */
async function* framesOf(response: Response): AsyncGenerator<string> {
  let rest = ''
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + text).split('\n\n')
    rest = frames.pop() ?? ''
    yield* frames
  }
}

test('a table of rows that is read again keeps as many lines as it had, and shows the outcome of each', async () => {
  const id = await t.done(csvOf(cpfs(130, 100)))
  const page = await t.page(`/batches/${id}?outcome=ok`, analyst)
  expect(page).toContain(`data-rows="/batches/${id}/rows?outcome=ok"`)
  expect(page.match(/id="line-\d+"/g)).toHaveLength(50)
  const again = async (shown: string) =>
    (await t.page(`/batches/${id}/rows?outcome=ok&shown=${shown}`, analyst)).match(/id="line-\d+"/g)
  expect(await again('100')).toHaveLength(100)
  expect(await again('7')).toHaveLength(50)
  expect(await again('x')).toHaveLength(50)
  expect(await again('99999')).toHaveLength(130)
})

test('the notice of a paused batch disappears when somebody resumes it', async () => {
  const id = await slow.submit(csvOf(cpfs(3)))
  await until(async () => (await readBatch(slow.sql, id))?.startedAt)
  const paused = await slow.post(`/batches/${id}/pause`, bia)
  const page = await slow.page(paused.headers.get('location')!, bia)
  expect(page.match(/Answers already paid for are still fetched\./g)).toHaveLength(1)
  const stream = /hx-sse:connect="([^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&')
  expect(stream).toContain('notice=paused')
  for await (const frame of framesOf(await slow.call(stream, { token: bia }))) {
    if (!frame.includes('class="notice"')) break
    expect(frame).toContain('Paused.')
    await slow.post(`/batches/${id}/resume`, await slow.operator('ops', 'bruno'))
  }
})

test('a page that was opened before its batch started is over when the batch starts', async () => {
  const id = await slow.unconfirmed(csvOf(cpfs(3, 10)))
  const page = await slow.page(`/batches/${id}`, bia)
  const stream = /hx-sse:connect="([^"]+)"/.exec(page)![1]!
  const frames: string[] = []
  for await (const frame of framesOf(await slow.call(stream, { token: bia }))) {
    frames.push(frame)
    if (frames.length === 1) await slow.post(`/batches/${id}/confirm`, bia)
  }
  expect(frames.at(-1)).toContain('event: over')
})

test('the notice of a held lane disappears when the lane is free, and the lane with it', async () => {
  const lane = `${t.sandbox.account.organizationId}/scr`
  const held = await t.post('/system/lanes/hold', ops, { lane, reason: 'contract' })
  const page = await t.page(held.headers.get('location')!, ops)
  expect(page).toContain('The lane is held.')
  const stream = /hx-sse:connect="(\/system\/live[^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&')
  const notices: boolean[] = []
  for await (const frame of framesOf(await t.call(stream, { token: ops }))) {
    notices.push(frame.includes('The lane is held.'), frame.includes('No lane is held.'))
    if (notices.length > 2) break
    await t.post(`/system/lanes/${lane}/resume`, ops)
  }
  expect(notices).toEqual([true, false, false, true])
})

test('HEAD on a live route is answered with its headers, and ends', async () => {
  const id = await t.unconfirmed(csvOf(cpfs(1, 500)))
  for (const path of ['/batches/live', `/batches/${id}/live`, '/system/live', '/trouble/live']) {
    const response = await t.call(path, { token: analyst, method: 'HEAD', signal: AbortSignal.timeout(5_000) })
    expect([response.status, response.headers.get('content-type'), await response.text()], path).toEqual([
      200,
      'text/event-stream',
      '',
    ])
  }
})
