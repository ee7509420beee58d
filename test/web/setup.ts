import { afterAll } from 'vitest'
import { spreadsheetsOf } from '../../src/cli/commands/worker.ts'
import { quoteSweep } from '../../src/monitoring/preview-sweep.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import { createToken, hashSecret, insertOperator, type Operator, type Role } from '../../src/store/people/operators.ts'
import type { SweepName } from '../../src/store/radars/sweeps.ts'
import { createRegistryFigures } from '../../src/web/metrics.ts'
import type { ConnectionLimits } from '../../src/web/server.ts'
import type { WebSettings } from '../../src/web/site/site.ts'
import { startWeb, type Web } from '../../src/web/start-web.ts'
import { type Setup, type SetupOptions, setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

export type WebSetup = Setup & {
  web: Web
  /** Adds an operator, unless there is one of the name, and returns the token. */
  operator(role: Role, name?: string): Promise<string>
  /** Calls a path with a bearer token, or without one. */
  call(path: string, options?: CallOptions): Promise<Response>
  /** Reads a page in a language. */
  page(path: string, token: string, language?: string): Promise<string>
  /** Reads an answer of the API. */
  json(path: string, token: string): ReturnType<Response['json']>
  /** Sends fields: as a form to the page, as JSON to the API. */
  post(path: string, token: string, fields?: object): Promise<Response>
  /** Sends a form that ends with a file. */
  upload(path: string, token: string, file: [name: string, bytes: string | Buffer], fields?: Fields): Promise<Response>
  /** Submits a file and waits for its report. */
  done(...file: Parameters<Setup['submit']>): Promise<bigint>
  /** Submits a file that costs more than may be spent without approval. */
  unconfirmed(...file: Parameters<Setup['submit']>): Promise<bigint>
}

/** Fields of a form, of which one may occur several times. */
type Fields = Record<string, string | string[]>

export type CallOptions = {
  token?: string
  method?: string
  body?: BodyInit
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** The page on a free port of this machine, in front of a real engine. */
export const setupWeb = async (
  options: SetupOptions = {},
  settings: Partial<WebSettings> = {},
  limits?: ConnectionLimits,
): Promise<WebSetup> => {
  const t = await setup(options)
  const made = webOptionsOf(t)
  const web = await startWeb({ ...made, limits, settings: { ...made.settings, ...settings } }).catch(async (error) => {
    await t[Symbol.asyncDispose]()
    throw error
  })
  const tokens = new Map<string, string>()
  const call: WebSetup['call'] = (path, { token, headers, ...rest } = {}) =>
    fetch(new URL(path, web.url), {
      redirect: 'manual',
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...rest,
    })
  return {
    ...t,
    web,
    async operator(role, name: Operator['name'] = role) {
      const token = tokens.get(name) ?? createToken()
      if (!tokens.has(name)) await insertOperator(t.sql, { name, role, tokenHash: hashSecret(token) })
      tokens.set(name, token)
      return token
    },
    call,
    page: async (path, token, language = 'en') =>
      (await call(path, { token, headers: { 'accept-language': language } })).text(),
    json: async (path, token) => (await call(path, { token })).json(),
    post: (path, token, fields = {}) => {
      const ofApi = path.startsWith('/api/')
      const body = ofApi ? JSON.stringify(fields) : new URLSearchParams({ ...fields })
      const headers: Record<string, string> = ofApi ? { 'content-type': 'application/json' } : {}
      return call(path, { token, method: 'POST', headers, body })
    },
    upload(path, token, [name, bytes], fields = {}) {
      const body = new FormData()
      for (const [field, values] of Object.entries(fields))
        for (const value of [values].flat()) body.append(field, value)
      body.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name)
      return call(path, { token, method: 'POST', body })
    },
    async done(...file) {
      const id = await t.submit(...file)
      await t.finished(id)
      return id
    },
    async unconfirmed(text, options) {
      const id = await t.submit(text, { confirmAbove: -1, ...options })
      await until(async () => (await readBatch(t.sql, id))?.state === 'unconfirmed')
      return id
    },
    async [Symbol.asyncDispose]() {
      await web.close()
      await t[Symbol.asyncDispose]()
    },
  }
}

/** One page for the tests of a file, which leave each other's data alone. */
export const sharedWeb = async (...options: Parameters<typeof setupWeb>): Promise<WebSetup> => {
  let t: WebSetup | undefined
  afterAll(() => t?.[Symbol.asyncDispose]())
  t = await setupWeb(...options)
  return t
}

export const webOptionsOf = (t: Setup, web: Partial<{ host: string; loopback: boolean }> = {}) => {
  const { engine, tools } = t.running
  const nextRun = () => new Date(engine.clock().getTime() + 3_600_000)
  const settings = { ...t.settings, web: { ...t.settings.web, port: 0, ...web } }
  const purchases = purchasesOf(tools, t.running.accounts)
  return {
    ...engine,
    settings,
    home: tools.home,
    nextRun,
    purchases,
    quoteSweep: (name: SweepName) => quoteSweep(tools, name),
    openSpreadsheet: spreadsheetsOf(t.running, t.settings),
    registryFigures: createRegistryFigures(),
  }
}

type Tools = Setup['tools']

const purchasesOf =
  ({ registry }: Tools, accounts: Setup['running']['accounts']) =>
  async ({ organizationId }: { organizationId: number }, document: { number: string }) => {
    const account = accounts.find((each) => each.organizationId === organizationId)!
    const { analyses } = await registry.activities.list(account)
    return analyses
      .filter((analysis) => analysis.document === document.number)
      .map(({ id, uniqueId }) => ({ id, key: uniqueId }))
  }
