import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { startWorker } from '../../src/cli/commands/worker.ts'
import { createLog } from '../../src/log/log.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { holdLane } from '../../src/store/fleet/lanes.ts'
import { readFigures } from '../../src/views/usage.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { setup } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { setupWeb } from './setup.ts'

test('a worker reports how the registry answered and how long it took, without a document or a token', async () => {
  await using t = await setup({
    sandbox: {
      scenario: {
        faults: [
          { operation: 'consult', fault: 'serverError', times: 1 },
          { operation: 'consult', fault: 'rateLimited', times: 1 },
        ],
      },
    },
  })
  await t.running.stop()
  const settings = { ...t.settings, web: { ...t.settings.web, port: 0 } }
  const { sql, databaseUrl } = t
  await using worker = await startWorker({
    settings,
    home: t.tools.home,
    databaseUrl,
    sql,
    log: createLog({ level: 'silent' }),
  })
  const read = async () => (await fetch(new URL('/metrics', worker.url))).text()
  expect(await read()).not.toContain('vigia_registry_request_seconds_count{')

  await t.finished(await t.submit(csvOf(cpfs(5))))
  const text = await read()

  const requests = (operation: string, outcome: string) =>
    Number(
      text
        .split(`vigia_registry_request_seconds_count{operation="${operation}",outcome="${outcome}"} `)[1]
        ?.split('\n')[0],
    )
  expect(requests('POST /v2/analytics', 'ok')).toBe(5)
  expect(requests('POST /v2/analytics/{analysisId}', 'unanswered')).toBe(1)
  expect(requests('POST /v2/analytics/{analysisId}', 'too_many_requests')).toBe(1)
  expect(requests('POST /v2/analytics/{analysisId}', 'ok')).toBeGreaterThanOrEqual(5)
  expect(text).toMatch(
    /^vigia_registry_request_seconds_bucket\{le="30",operation="POST \/v2\/analytics",outcome="ok"\} 5$/m,
  )
  for (const secret of [...cpfs(5), t.sandbox.credentials.token]) expect(text).not.toContain(secret)

  const metrics = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!)
  for (const path of ['on-call.md', 'pt-BR/on-call.md']) {
    const page = readFileSync(resolve(import.meta.dirname, '../../docs', path), 'utf8')
    const listed = [...page.matchAll(/`(vigia_\w+)`/g)].map(([, name]) => name!)
    expect([...new Set(listed)].sort(), path).toEqual(metrics.sort())
  }
})

test('look-ups of a batch that needs approval, or of a lane that is held, wait and are not overdue', async () => {
  await using t = await setup()
  const id = await t.submit(csvOf(cpfs(3, 10)), { confirmAbove: 0 })
  await until(async () => (await readBatch(t.sql, id))?.state === 'unconfirmed')
  const waiting = { kind: 'analysis', state: 'queued', oldest: null }
  expect((await readFigures(t.sql)).due).toEqual([{ ...waiting, lookups: 3 }])

  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'analysis' as const }
  await holdLane(t.sql, lane, { cause: 'operator', reason: ['no_reason'], trialAt: null }, t.tools.clock())
  await t.submit(csvOf(cpfs(3)))
  const due = await until(async () => {
    const figures = await readFigures(t.sql)
    return figures.due[0]!.lookups > 3 ? figures.due : null
  })
  expect(due).toEqual([{ ...waiting, lookups: 6 }])
})

test('the metrics count what was charged, what ended and what waits for which status, without personal data', async () => {
  await using t = await setupWeb()
  await t.done(csvOf(cpfs(4)))
  const { organizationId } = t.sandbox.account
  await t.sql`insert into vigia.lane (organization_id, kind, cause) values (${organizationId}, 'scr', 'outage')`
  await t.sql`
    insert into vigia.worker (id, host, pid, heartbeat_at)
    values (gen_random_uuid(), 'silent', 1, clock_timestamp() - interval '20 seconds')`
  t.sandbox.setScenario({ faults: [{ operation: 'consult', fault: 'drift', drift: 'unknownStatus' }] })
  await t.submit(csvOf(cpfs(3, 10)))
  const status = 'REQUEUED_FOR_REVIEW/REQUEUED_FOR_REVIEW/REQUEUED_FOR_REVIEW'
  await until(async () =>
    (await readFigures(t.sql)).statuses.some((each) => each.status === status && each.lookups === 3),
  )

  const text = await t.page('/metrics', '')
  for (const line of [
    'vigia_charged_units 7',
    'vigia_rows_ended{state="ok"} 4',
    'vigia_in_doubt_rows 0',
    'vigia_workers 1',
    `vigia_lookups_waiting{kind="analysis",status="${status}"} 3`,
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).toContain(`vigia_lane_held_seconds{organization="${organizationId}",kind="scr",cause="outage"} `)
  expect(text).toMatch(/^vigia_disk_free_bytes \d+/m)
  for (const document of [...cpfs(4), ...cpfs(3, 10)]) expect(text).not.toContain(document)
})
