import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Role } from '../../src/store/people/operators.ts'
import type { SetupOptions } from '../support/setup.ts'
import { setupWeb, type WebSetup } from '../web/setup.ts'

export type Browsing = WebSetup & {
  /** A page of someone who has signed in with a token of this role. */
  signedIn(role: Role, options?: BrowserContextOptions): Promise<Page>
  context(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Every error of a page: scripts, refused content, failed requests. */
  complaints: string[]
}

const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** In any other locale the browser cannot write an accent in the name of a download. */
const utf8 = { LC_ALL: 'C.UTF-8' }

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: path, args: flags, env: { ...process.env, ...utf8 } })

/** One browser per process, because starting it takes longer than most pages. Contexts share nothing else. */
let chromiumOfProcess: Promise<Browser> | undefined

/** A real browser in front of a real page, engine, database and registry. */
export const browse = async (options: SetupOptions = {}): Promise<Browsing> => {
  const t = await setupWeb(options)
  chromiumOfProcess ??= launchChromium()
  const browser = await chromiumOfProcess
  const contexts: BrowserContext[] = []
  const complaints: string[] = []
  const context = async (more: BrowserContextOptions = {}) => {
    const made = await browser.newContext({ baseURL: t.web.url, locale: 'en-US', acceptDownloads: true, ...more })
    contexts.push(made)
    made.on('page', (page) => listen(page, complaints))
    return made
  }
  return {
    ...t,
    complaints,
    context,
    async signedIn(role, more) {
      const token = await t.operator(role, `${role} ${Math.random().toString(36).slice(2, 6)}`)
      const page = await (await context(more)).newPage()
      await page.goto('/sign-in')
      await page.fill('input[name="token"]', token)
      await Promise.all([page.waitForURL('**/batches'), page.click('button.primary')])
      return page
    },
    async [Symbol.asyncDispose]() {
      for (const made of contexts) await made.close()
      await t[Symbol.asyncDispose]()
    },
  }
}

const listen = (page: Page, complaints: string[]): void => {
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => void dialog.accept())
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
}

/** The serious faults of accessibility that axe finds on a page. */
export const seriousOn = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}
