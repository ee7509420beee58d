import { expect, test } from 'vitest'
import { holdCauses } from '../../src/domain/call-failure.ts'
import { holdLaneByHand } from '../../src/operations/lanes.ts'
import { Outage } from '../../src/registry/errors.ts'
import { heldLanes, holdLane } from '../../src/store/fleet/lanes.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupWeb, sharedWeb, type WebSetup } from './setup.ts'

/** Waits until the lane is held and the calls that were open have returned. */
const heldFor = async (t: WebSetup, cause: string): Promise<void> => {
  await until(async () => (await heldLanes(t.sql)).find((lane) => lane.cause === cause))
  await until(
    async () => (await t.sql`select job_id from vigia.claim union all select null from vigia.intent`).length === 0,
  )
}

const bar = (page: string): string => /<aside id="trouble"[\s\S]*?<\/aside>/.exec(page)?.[0] ?? ''

test('every page shows what a dead token holds, since when, for which batch, and what to do', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  t.sandbox.setScenario({ token: { refuseRefresh: true } })
  t.sandbox.expireTokens()
  const id = await t.submit(csvOf(cpfs(1_200)), { fileName: 'clientes.csv' })
  await heldFor(t, 'token')
  for (const path of ['/batches', `/batches/${id}`, '/parked', '/radars', '/changes', '/system', '/nowhere']) {
    const text = bar(await t.page(path, token))
    expect(text, path).toContain('The registry no longer accepts our token')
    expect(text, path).toContain('All lanes')
    expect(text, path).toMatch(/since \d\d\/\d\d\/\d{4} \d\d:\d\d/)
    expect(text, path).toContain(`<a href="/batches/${id}">clientes</a> (1,200 open rows)`)
    expect(text, path).toContain('REGISTRY_REFRESH_TOKEN')
    expect(text, path).toMatch(/next attempt <time datetime="[^"]+" data-in="in {}"/)
  }
  const portuguese = bar(await t.page('/radars', token, 'pt-BR'))
  expect(portuguese).toContain('O serviço não aceita mais o nosso token')
  expect(portuguese).toContain('1.200 linhas em aberto')
  expect(portuguese).toContain('reinicie os workers')
  expect(bar(await t.page('/sign-in', ''))).toBe('')
})

test('a held batch is shown as held in the list, on its page, in the filters and in the API, without a time left', async () => {
  await using t = await setupWeb()
  const token = await t.operator('ops')
  t.sandbox.setScenario({ plans: { [t.sandbox.account.planId]: { units: 0 } } })
  const id = await t.submit(csvOf(cpfs(20)))
  await heldFor(t, 'plan')
  const row = `id="batch-${id}"`
  expect(await t.page('/batches', token)).toMatch(new RegExp(`${row}[\\s\\S]*state-held`))
  expect(await t.page('/batches?state=held', token)).toContain(row)
  expect(await t.page('/batches?state=running', token)).not.toContain(row)
  const page = await t.page(`/batches/${id}`, token)
  expect(page).toContain('<span class="badge state-held">held</span>')
  expect(page).toContain('The plan is blocked or used up. The batch is on hold.')
  expect(page).not.toContain('rows/s')
  expect(await t.page('/batches/all/pause', token)).toContain(`href="/batches/${id}"`)

  const listed = await t.json('/api/batches?state=running', token)
  expect(listed.batches).toMatchObject([{ state: 'running', shown: 'held' }])
  expect(listed.trouble).toMatchObject([{ cause: 'plan', todo: 'extend_plan', batches: [{ batch: Number(id) }] }])
  expect(await t.json(`/api/batches/${id}`, token)).toMatchObject({ state: 'running', shown: 'held' })
})

const t = await sharedWeb()

test('a lane held for an outage shows no time that was true only when the hold began', async () => {
  const token = await t.operator('analyst')
  const reason = new Outage('POST /v2/analytics', 1_000).reason
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'scr' as const }
  await holdLane(t.sql, lane, { cause: 'outage', reason, trialAt: new Date(Date.now() + 60_000) }, new Date())
  const english = await t.page('/system', token)
  expect(english.match(/POST \/v2\/analytics was not sent: the registry is not answering</g)).toHaveLength(2)
  const portuguese = await t.page('/system', token, 'pt-BR')
  expect(portuguese.match(/POST \/v2\/analytics não foi enviada: o serviço não responde</g)).toHaveLength(2)
  await t.sql`delete from vigia.lane`
})

test('ops can resume a lane from any page; an analyst sees the same without the button', async () => {
  const { organizationId } = t.sandbox.account
  const hold = { by: 'ana', now: new Date(), reason: 'contract under review' }
  await holdLaneByHand(t.sql, { organizationId, kind: 'scr' }, hold)
  const seen = async (role: 'ops' | 'analyst') => bar(await t.page('/radars', await t.operator(role)))
  const [ops, analyst] = [await seen('ops'), await seen('analyst')]
  for (const text of [ops, analyst]) {
    expect(text).toContain('Held by a person')
    expect(text).toContain('contract under review')
    expect(text).toContain('No batch is affected now.')
    expect(text).not.toContain('next attempt')
  }
  expect(ops).toContain(`action="/system/lanes/${organizationId}/scr/resume"`)
  expect(analyst).not.toContain('<form')
  await t.sql`delete from vigia.lane`
})

test('a hold that needs a person looks worse than one that resumes by itself, and has a button if resuming helps', async () => {
  const token = await t.operator('ops')
  const lane = { organizationId: t.sandbox.account.organizationId, kind: 'scr' as const }
  const seen: Record<string, string> = {}
  for (const cause of holdCauses) {
    const trialAt = new Date(Date.now() + 3_600_000)
    await holdLane(t.sql, lane, { cause, reason: ['no_reason'], trialAt }, new Date())
    const text = bar(await t.page('/radars', token))
    const look = /class="trouble banner (warn|bad)"/.exec(text)![1]!
    seen[cause] = text.includes('/scr/resume"') ? `${look}, button` : look
    await t.sql`delete from vigia.lane`
  }
  expect(seen).toEqual({
    outage: 'warn',
    list: 'warn',
    budget: 'warn',
    token: 'bad',
    plan: 'bad, button',
    denied: 'bad, button',
    refused: 'bad, button',
    fetch_refused: 'bad, button',
    operator: 'bad, button',
  })
})

test('the incident bar comes and goes without a reload, with the stream of the page or its own', async () => {
  const token = await t.operator('analyst')
  const { organizationId } = t.sandbox.account
  for (const [path, stream] of [
    ['/radars', '/trouble/live'],
    ['/batches', '/batches/live'],
  ] as const) {
    expect(await t.page(path, token)).toContain(`hx-sse:connect="${stream}"`)
    const response = await t.call(stream, { token })
    const frames = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    const frame = async () => (await frames.read()).value ?? ''
    expect(await frame()).not.toContain('Held by a person')
    await holdLaneByHand(t.sql, { organizationId, kind: 'cnh' }, { by: 'ana', now: new Date(), reason: 'x' })
    const second = await frame()
    expect(second).toContain('<hx-partial hx-target="#trouble" hx-swap="innerMorph">')
    expect(second).toContain('Held by a person')
    await t.sql`delete from vigia.lane`
    expect(await frame()).not.toContain('Held by a person')
    await frames.cancel()
  }
})
