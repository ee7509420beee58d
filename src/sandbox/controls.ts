import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Account } from '../domain/lookup.ts'
import type { PlantedRisk } from './data/risk.ts'
import { readBody, sendJson } from './deliver.ts'
import { buyAnalysis, buyForOthers } from './operations/analyses.ts'
import { buyCnh } from './operations/cnh.ts'
import { describeService } from './operations.ts'
import type { Analysis, BookedCharge, BookedRadar, Cnh } from './records.ts'
import { type Reply, refusals, type SandboxInternals } from './registry.ts'
import { changeScenario, ScenarioError, type ScenarioPatch } from './scenario.ts'
import type { SandboxState } from './state.ts'
import { accounts, issueToken } from './tokens.ts'

/** What a test, a rehearsal or `/sandbox/*` may change at the registry without its callers. */
export type SandboxControls = ReturnType<typeof createControls>

export const createControls = (registry: SandboxInternals) => ({
  /** How many units were charged: in total, for one document, or for one document and kind. */
  charges(document?: string, kind?: BookedCharge['kind']): number {
    const isMeant = (unit: BookedCharge) =>
      (document === undefined || unit.document === document) && (kind === undefined || unit.kind === kind)
    return registry.records.charges.filter(isMeant).length
  },

  /** Charges an analysis of the document as if its answer had been lost. */
  alreadyGenerated(document: string, account: Account = accounts[0]): Analysis {
    return buyAnalysis(registry, { organizationId: account.organizationId, document })
  },

  /** Deletes the analyses of a document: they are marked, and can no longer be consulted. */
  deleteAnalyses(document: string, account: Account = accounts[0]): void {
    registry.record({ type: 'deleted', organizationId: account.organizationId, document, at: registry.now() })
  },

  /** Charges a CNH request as if its answer had been lost. */
  alreadyRequested(document: string, account: Account = accounts[0]): Cnh {
    return buyCnh(registry, account.organizationId, document, false)
  },

  /** Overrides a document's own data with exact figures from now on; null removes them. */
  plantChange(document: string, risk: PlantedRisk | null): void {
    registry.record({ type: 'planted', document, risk })
  },

  plantRadar(radar: Pick<BookedRadar, 'code'> & Partial<BookedRadar>): BookedRadar {
    const planted: BookedRadar = {
      id: registry.records.nextRadarId,
      organizationId: accounts[0].organizationId,
      name: `BookedRadar ${registry.records.nextRadarId}`,
      type: radar.code.length === 11 ? 'CPF' : 'CNPJ',
      at: registry.now(),
      active: true,
      ...radar,
    }
    registry.record({ type: 'radar', radar: planted })
    return planted
  },

  /** Renames, deactivates or otherwise changes a radar. */
  changeRadar(id: number, change: Partial<Omit<BookedRadar, 'id'>>): void {
    const radar = registry.records.radars.get(id)
    if (!radar) throw new Error(`The sandbox has no radar ${id}`)
    registry.record({ type: 'radar', radar: { ...radar, ...change } })
  },

  removeRadar(id: number): void {
    registry.record({ type: 'radarRemoved', id })
  },

  /** Replaces the keys of the scenario that the patch names; new faults start with new counters. */
  setScenario(patch: ScenarioPatch): void {
    changeScenario(registry.scenario, patch)
    registry.record({ type: 'scenario', patch, at: registry.now() })
    buyForOthers(registry)
  },

  /** Advances the simulated day: the data of some documents changes, the clock does not. */
  advanceDays(days = 1): number {
    registry.record({ type: 'day', day: registry.records.day + days })
    return registry.records.day
  },

  /** A new access token, as an operator would get one by hand. */
  giveToken: (): string => issueToken(registry).token,

  /** Expires every token issued so far. */
  expireTokens(): void {
    for (const token of registry.records.tokens.values())
      registry.record({ type: 'token', token: { ...token, expiresAt: registry.now() } })
  },
})

/** Answers what controls the sandbox itself: its ledger, its scenario, its simulated days. */
export const control = (
  state: SandboxState,
  controls: SandboxControls,
  req: IncomingMessage,
  res: ServerResponse,
  pathname: string,
  query: string,
): void => {
  const run = controlRoutes(state, controls, query.includes('full=1'))[`${req.method} ${pathname}`]
  const reply = (body: unknown) => (run ? attempt(() => run(body)) : refusals.noSuchOperation)
  readBody(req, (body) => sendJson(res, null, reply(body)))
}

const controlRoutes = (
  state: SandboxState,
  controls: SandboxControls,
  full: boolean,
): Record<string, (body: unknown) => unknown> => ({
  'GET /openapi.json': describeService,
  'GET /sandbox/ledger': () => ledgerOf(state, full),
  'GET /sandbox/scenario': () => state.scenario,
  'POST /sandbox/scenario': (body) => {
    controls.setScenario(body as ScenarioPatch)
    return state.scenario
  },
  'POST /sandbox/advance': (body) => ({ day: controls.advanceDays(advance.parse(body ?? {}).days) }),
  'POST /sandbox/deleted': (body) => {
    const { document } = about.parse(body)
    controls.deleteAnalyses(document)
    return { document }
  },
  'POST /sandbox/generated': (body) => controls.alreadyGenerated(about.parse(body).document),
  'POST /sandbox/plant': (body) => {
    const { document, ...risk } = plant.parse(body)
    controls.plantChange(document, risk)
    return { document }
  },
  'POST /sandbox/radar': (body) => controls.plantRadar(radar.parse(body)),
  'POST /sandbox/requested': (body) => controls.alreadyRequested(about.parse(body).document),
  'POST /sandbox/token': () => ({ token: controls.giveToken() }),
})

const advance = z.strictObject({ days: z.int().positive().default(1) })
const about = z.strictObject({ document: z.string() })
const figure = z.strictObject({ count: z.int(), cents: z.int() })
const plant = z.strictObject({
  document: z.string(),
  figures: z.record(z.string(), figure).optional(),
  processes: z.int().nonnegative().optional(),
  totals: z.strictObject({ risk: z.int(), analyzed: z.int() }).optional(),
  entries: z.record(z.string(), z.unknown()).optional(),
  missing: z.array(z.string()).optional(),
})
const radar = z.strictObject({
  code: z.string(),
  organizationId: z.int().optional(),
  name: z.string().optional(),
  active: z.boolean().optional(),
})

const attempt = (act: () => unknown): Reply => {
  try {
    return { status: 200, body: act() }
  } catch (error) {
    const message = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message
    return { status: error instanceof z.ZodError || error instanceof ScenarioError ? 400 : 500, body: { message } }
  }
}

const ledgerOf = ({ ledger, records }: SandboxState, full: boolean) => {
  const { totals, counts, statuses, faults, refusals, mode, requests } = ledger
  const units = records.charges
  const { analysis = [], cnh = [] } = Object.groupBy(units, ({ kind }) => kind)
  const charges = { total: units.length, analysis: analysis.length, cnh: cnh.length }
  const counted = { counts, statuses, faults, refusals, charges, radars: records.radars.size }
  return { mode, day: records.day, ...totals, ...counted, ...(full && { requests, units }) }
}
