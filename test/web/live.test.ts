import { expect, test } from 'vitest'
import { cpfs, csvOf } from '../support/documents.ts'
import { setupWeb } from './setup.ts'

test('a batch is followed by server-sent events until its report is there', async () => {
  await using t = await setupWeb()
  const token = await t.operator('analyst')
  const id = await t.submit(csvOf(cpfs(40)))
  const response = await t.call(`/batches/${id}/live`, { token })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const text = await response.text()
  expect(text).toMatch(/^data: <div class="batch-head">/)
  expect(text).toMatch(/event: over\ndata: over\n\n$/)
  expect(text.split('\n\n').at(-3)).toContain('state-done')
})

test('the figures for the on-call person are told without a person in them', async () => {
  await using t = await setupWeb()
  const id = await t.submit(csvOf(cpfs(4)))
  await t.finished(id)
  const { organizationId } = t.sandbox.account
  await t.sql`insert into lane (organization_id, kind, cause) values (${organizationId}, 'scr', 'outage')`
  const text = await (await t.call('/metrics')).text()
  expect(text).toMatch(/^vigia_charged_units 4$/m)
  expect(text).toMatch(/^vigia_rows_ended\{state="ok"\} 4$/m)
  expect(text).toMatch(/^vigia_in_doubt_rows 0$/m)
  expect(text).toMatch(/^vigia_workers 1$/m)
  expect(text).toMatch(
    new RegExp(`^vigia_lane_held_seconds\\{organization="${organizationId}",kind="scr",cause="outage"\\} `, 'm'),
  )
  expect(text).toMatch(/^vigia_disk_free_bytes \d+/m)
  for (const document of cpfs(4)) expect(text).not.toContain(document)
})

test('it is ready while the schema is current, and no longer when it drains', async () => {
  await using t = await setupWeb()
  const ready = await t.call('/readyz')
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', database: 'current', draining: 'no' }])
  await t.sql`delete from migration where name = (select max(name) from migration)`
  expect((await t.call('/readyz')).status).toBe(503)
  expect((await t.call('/healthz')).status).toBe(200)
})
