import { spreadsheetsOf } from '../../src/cli/commands/worker.ts'
import { quoteSweep } from '../../src/monitoring/preview-sweep.ts'
import { createToken, hashSecret, insertOperator, type Operator, type Role } from '../../src/store/people/operators.ts'
import type { SweepName } from '../../src/store/radars/sweeps.ts'
import { createRegistryFigures } from '../../src/web/metrics.ts'
import type { ConnectionLimits } from '../../src/web/server.ts'
import type { WebSettings } from '../../src/web/site/site.ts'
import { startWeb, type Web } from '../../src/web/start-web.ts'
import { type Setup, type SetupOptions, setup } from '../support/setup.ts'

export type WebSetup = Setup & {
  web: Web
  /** Adds an operator and returns the token. */
  operator(role: Role, name?: string): Promise<string>
  /** Calls a path with a bearer token, or without one. */
  call(path: string, options?: CallOptions): Promise<Response>
}

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
  return {
    ...t,
    web,
    async operator(role, name: Operator['name'] = role) {
      const token = createToken()
      await insertOperator(t.sql, { name, role, tokenHash: hashSecret(token) })
      return token
    },
    call: (path, { token, headers, ...rest } = {}) =>
      fetch(new URL(path, web.url), {
        redirect: 'manual',
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
        ...rest,
      }),
    async [Symbol.asyncDispose]() {
      await web.close()
      await t[Symbol.asyncDispose]()
    },
  }
}

export const webOptionsOf = (t: Setup, web: Partial<{ host: string; loopback: boolean }> = {}) => {
  const { engine, tools } = t.running
  const nextRun = () => new Date(engine.clock().getTime() + 3_600_000)
  const settings = { ...t.settings, web: { ...t.settings.web, port: 0, ...web } }
  const purchases = purchasesOf(tools, t.running.accounts)
  return {
    engine,
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
