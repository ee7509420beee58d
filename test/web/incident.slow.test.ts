import { expect, test } from 'vitest'
import { holdCauses } from '../../src/domain/call-failure.ts'
import { holdLaneByHand } from '../../src/operations/lanes.ts'
import { Outage } from '../../src/registry/errors.ts'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { accounts } from '../../src/sandbox/tokens.ts'
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

const textOf = (piece: string): string => piece.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')

const bar = (page: string): string => /<aside id="trouble"[\s\S]*?<\/aside>/.exec(page)?.[0] ?? ''

type Incident = { cause: string; begin?: ScenarioPatch; config?: Record<string, unknown>; en: RegExp[]; pt: RegExp[] }

const impatient = { request: { timeout: '500ms', retries: 0 } }
const incidents: Record<string, Incident> = {
  'dead token': {
    cause: 'token',
    begin: { token: { refuseRefresh: true } },
    en: [/no longer accepts our token/, /All lanes/, /REGISTRY_REFRESH_TOKEN/],
    pt: [/não aceita mais o nosso token/, /Todas as filas/, /reinicie os workers/],
  },
  'used-up plan': {
    cause: 'plan',
    begin: { plans: { [accounts[0].planId]: { units: 0 } } },
    en: [/plan is blocked or used up/, /Risk analysis/, /Nothing new is bought/, /extend the plan/],
    pt: [/plano está bloqueado ou esgotado/, /Nada novo é comprado/, /amplie o plano/],
  },
  outage: {
    cause: 'outage',
    begin: { outage: { how: 'unavailable' } },
    config: impatient,
    en: [/does not answer/, /What to do: nothing\. Vigia resumes by itself/],
    pt: [/não responde/, /O que fazer: nada\. O Vigia retoma sozinho/],
  },
  'list that cannot be read': {
    cause: 'list',
    begin: { faults: [{ operation: 'activities', fault: 'serverError' }] },
    config: impatient,
    en: [/list of purchases cannot be read/, /Nothing new is bought/, /What to do: nothing\./],
    pt: [/lista de compras do serviço não pode ser lida/, /Nada novo é comprado/],
  },
  'spent budget': {
    cause: 'budget',
    config: { budget: { perDay: 5 } },
    en: [/budget is spent/, /after midnight/, /budget\.perDay/],
    pt: [/orçamento de hoje foi gasto/, /meia-noite/, /budget\.perDay/],
  },
}

test.each(Object.entries(incidents))(
  'during a %s every page shows what is on hold, since when, for which batch and what to do',
  async (_, { cause, begin, config, en, pt }) => {
    await using t = await setupWeb({ config })
    const token = await t.operator('ops')
    t.sandbox.setScenario(begin ?? {})
    if (cause === 'token') t.sandbox.expireTokens()
    const kind = cause === 'outage' ? 'processes' : 'analysis'
    const id = await t.submit(csvOf(cpfs(1_200)), { fileName: 'clientes.csv', kind })
    await heldFor(t, cause)
    for (const path of ['/batches', `/batches/${id}`, '/parked', '/radars', '/changes', '/system', '/nowhere']) {
      const shown = bar(await t.page(path, token))
      const english = textOf(shown)
      for (const text of en) expect(english, path).toMatch(text)
      expect(english, path).toMatch(/since \d\d\/\d\d\/\d{4} \d\d:\d\d/)
      expect(english, path).toMatch(/clientes \(1,\d{3} open rows\)/)
      expect(shown, path).toContain(`<a href="/batches/${id}">clientes</a>`)
      expect(shown, path).toMatch(/next attempt <time datetime="[^"]+" data-in="in {}"/)
      const portuguese = textOf(bar(await t.page(path, token, 'pt-BR')))
      for (const text of pt) expect(portuguese, path).toMatch(text)
      expect(portuguese, path).toMatch(/clientes \(1\.\d{3} linhas em aberto\)/)
    }
    expect(bar(await t.page('/sign-in', ''))).toBe('')
  },
)

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
