import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Kind } from '../../src/domain/kind.ts'
import { holdLaneByHand } from '../../src/operations/lanes.ts'
import { heldLanes } from '../../src/store/fleet/lanes.ts'
import { cpfs } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { type Browsing, browse } from './browse.ts'

const folder = resolve(import.meta.dirname, '../screenshots')
const looks = [
  { name: 'desktop-en', viewport: { width: 1280, height: 900 }, locale: 'en-US', colorScheme: 'light' },
  { name: 'phone-pt', viewport: { width: 390, height: 844 }, locale: 'pt-BR', colorScheme: 'dark' },
] as const

type Incident = {
  begin(t: Browsing): void
  kind?: Kind
  cause: string
  en: RegExp[]
  pt: RegExp[]
  config?: Record<string, unknown>
}

const incidents: Record<string, Incident> = {
  'dead token': {
    cause: 'token',
    begin({ sandbox }) {
      sandbox.setScenario({ token: { refuseRefresh: true } })
      sandbox.expireTokens()
    },
    en: [/no longer accepts our token/, /All lanes/, /REGISTRY_REFRESH_TOKEN/, /next attempt (in \d|now)/],
    pt: [/não aceita mais o nosso token/, /Todas as filas/, /reinicie os workers/, /próxima tentativa (em \d|agora)/],
  },
  'used-up plan': {
    cause: 'plan',
    begin({ sandbox }) {
      sandbox.setScenario({ plans: { [sandbox.account.planId]: { units: 0 } } })
    },
    en: [
      /plan is blocked or used up/,
      /Risk analysis/,
      /Nothing new is bought/,
      /extend the plan/,
      /next attempt (in \d|now)/,
    ],
    pt: [
      /plano está bloqueado ou esgotado/,
      /Nada novo é comprado/,
      /amplie o plano/,
      /próxima tentativa (em \d|agora)/,
    ],
  },
  outage: {
    kind: 'processes',
    cause: 'outage',
    begin({ sandbox }) {
      sandbox.setScenario({ outage: { how: 'unavailable' } })
    },
    config: { request: { timeout: '500ms', retries: 0 } },
    en: [/does not answer/, /What to do: nothing\. Vigia resumes by itself/, /next attempt (in \d|now)/],
    pt: [/não responde/, /O que fazer: nada\. O Vigia retoma sozinho/, /próxima tentativa (em \d|agora)/],
  },
  'list that cannot be read': {
    cause: 'list',
    begin({ sandbox }) {
      sandbox.setScenario({ faults: [{ operation: 'activities', fault: 'serverError' }] })
    },
    config: { request: { timeout: '500ms', retries: 0 } },
    en: [
      /list of purchases cannot be read/,
      /Nothing new is bought/,
      /What to do: nothing\./,
      /next attempt (in \d|now)/,
    ],
    pt: [/lista de compras do serviço não pode ser lida/, /Nada novo é comprado/, /próxima tentativa (em \d|agora)/],
  },
  'spent budget': {
    cause: 'budget',
    begin() {},
    config: { budget: { perDay: 5 } },
    en: [/budget is spent/, /after midnight/, /budget\.perDay/, /next attempt in (\d+ h|\d+ min)/],
    pt: [/orçamento de hoje foi gasto/, /meia-noite/, /budget\.perDay/, /próxima tentativa em (\d+ h|\d+ min)/],
  },
}

test.each(Object.entries(incidents))(
  'during a %s every page shows what is on hold, since when and what to do, on a phone too',
  async (name, incident) => {
    await using t = await browse({ config: incident.config })
    incident.begin(t)
    const id = await t.submit(`cpf\n${cpfs(1_200).join('\n')}\n`, {
      fileName: 'clientes março.csv',
      kind: incident.kind ?? 'analysis',
    })
    await until(async () => (await heldLanes(t.sql)).find(({ cause }) => cause === incident.cause))
    await mkdir(folder, { recursive: true })
    for (const { name: look, ...options } of looks) {
      const page = await t.signedIn('ops', { ...options, bypassCSP: true })
      for (const path of ['/batches', `/batches/${id}`, '/system']) {
        await page.goto(path)
        await showsIncident(page, look.endsWith('pt') ? incident.pt : incident.en, `${name} ${look} ${path}`)
        if (path !== '/system') await page.locator('.badge.state-held').waitFor()
        await page.screenshot({ path: join(folder, `${pictureOf(name, path)}.${look}.png`) })
        expect(await overflowOf(page), `${name} ${look} ${path}`).toBeLessThanOrEqual(0)
      }
      expect(await seriousOn(page), `${name} ${look}`).toEqual([])
    }
    expect(t.complaints).toEqual([])
  },
)

test('the time to the next attempt is counted down and updated, and the bar disappears, all without a reload', async () => {
  await using t = await browse()
  const { organizationId } = t.sandbox.account
  const nextTry = (after: string) => t.sql`update vigia.lane set trial_at = now() + ${after}::interval`
  await holdLaneByHand(t.sql, { organizationId, kind: 'scr' }, { by: 'ana', now: new Date(), reason: 'contract' })
  await nextTry('50 min')
  const page = await t.signedIn('analyst')
  await page.goto('/radars')
  const time = page.locator('#trouble time')
  await time.filter({ hasText: /^in 49 min \d\d s$/ }).waitFor()
  const before = await time.innerText()
  await time.filter({ hasNotText: before }).waitFor()
  await nextTry('100 min')
  await time.filter({ hasText: /^in 1 h 39 min$/ }).waitFor()
  await nextTry('0')
  await time.filter({ hasText: /^now$/ }).waitFor()
  await t.sql`delete from vigia.lane`
  await page.locator('#trouble .trouble').waitFor({ state: 'detached' })
  expect(t.complaints).toEqual([])
})

const pictureOf = (name: string, path: string): string =>
  `trouble-${name.replaceAll(' ', '-')}-${path === '/system' ? 'system' : path === '/batches' ? 'batches' : 'batch'}`

const showsIncident = async (page: Page, texts: RegExp[], where: string): Promise<void> => {
  const bar = page.locator('#trouble .trouble').first()
  await bar.filter({ hasText: /clientes março/ }).waitFor()
  if (!(await bar.locator('p').first().isVisible())) await bar.locator('summary').click()
  await page.waitForFunction(() => !document.querySelector('#trouble time')?.textContent?.includes(':'))
  const text = (await bar.innerText()).replaceAll(/\s+/g, ' ')
  for (const each of texts) expect(text, where).toMatch(each)
  expect(text, where).toMatch(/(since|desde) \d\d\/\d\d\/\d{4} \d\d:\d\d/)
}

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

const seriousOn = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}
