import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { SandboxControls } from './controls.ts'
import { describeService } from './openapi.ts'
import { noSuchOperation } from './refusals.ts'
import type { Reply } from './registry.ts'
import { ScenarioError, type ScenarioPatch } from './scenario.ts'
import { readBody, sendJson } from './send.ts'
import type { SandboxState } from './state.ts'

type Control = (state: SandboxState, controls: SandboxControls, body: unknown, query: string) => unknown

/** The routes that control the sandbox itself: its ledger, its scenario, its simulated days. */
export const control = (
  state: SandboxState,
  controls: SandboxControls,
  req: IncomingMessage,
  res: ServerResponse,
  pathname: string,
  query: string,
): void => {
  const run = controlRoutes[`${req.method} ${pathname}`]
  const reply = (body: unknown) => (run ? attempt(() => run(state, controls, body, query)) : noSuchOperation())
  readBody(req, (body) => sendJson(res, null, reply(body)))
}

const controlRoutes: Record<string, Control> = {
  'GET /openapi.json': () => describeService(),
  'GET /sandbox/ledger': (state, _, __, query) => ledgerOf(state, query.includes('full=1')),
  'GET /sandbox/scenario': (state) => state.scenario,
  'POST /sandbox/scenario': (state, controls, body) => {
    controls.setScenario(body as ScenarioPatch)
    return state.scenario
  },
  'POST /sandbox/advance': (_, controls, body) => ({ day: controls.advanceDays(advance.parse(body ?? {}).days) }),
  'POST /sandbox/deleted': (_, controls, body) => {
    const { document } = about.parse(body)
    controls.deleteAnalyses(document)
    return { document }
  },
  'POST /sandbox/generated': (_, controls, body) => controls.alreadyGenerated(about.parse(body).document),
  'POST /sandbox/plant': (_, controls, body) => {
    const { document, ...risk } = plant.parse(body)
    controls.plantChange(document, risk)
    return { document }
  },
  'POST /sandbox/radar': (_, controls, body) => controls.plantRadar(radar.parse(body)),
  'POST /sandbox/requested': (_, controls, body) => controls.alreadyRequested(about.parse(body).document),
  'POST /sandbox/token': (_, controls) => ({ token: controls.giveToken() }),
}

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
  const { totals, counts, statuses, faults, refusals, mode } = ledger
  const charged = Object.groupBy(records.charges, ({ kind }) => kind)
  const charges = {
    total: records.charges.length,
    analysis: charged.analysis?.length ?? 0,
    cnh: charged.cnh?.length ?? 0,
  }
  const summary = {
    mode,
    day: records.day,
    ...totals,
    counts,
    statuses,
    faults,
    refusals,
    charges,
    radars: records.radars.size,
  }
  return full ? { ...summary, requests: ledger.requests, units: records.charges } : summary
}
