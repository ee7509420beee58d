import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { SandboxControls } from './controls.ts'
import { describeService } from './openapi.ts'
import { noSuchOperation } from './refusals.ts'
import type { Reply } from './registry.ts'
import { ScenarioError, type ScenarioPatch } from './scenario.ts'
import { readBody, sendJson } from './send.ts'
import type { SandboxState } from './state.ts'

type Control = (desk: SandboxState, steer: SandboxControls, body: unknown, query: string) => unknown

/** What is not the registry but the sandbox around it: its books, its scenario, its simulated days. */
export const control = (
  desk: SandboxState,
  steer: SandboxControls,
  req: IncomingMessage,
  res: ServerResponse,
  pathname: string,
  query: string,
): void => {
  const act = controls[`${req.method} ${pathname}`]
  readBody(req, (body) => sendJson(res, null, act ? attempt(() => act(desk, steer, body, query)) : noSuchOperation()))
}

const controls: Record<string, Control> = {
  'GET /openapi.json': () => describeService(),
  'GET /sandbox/ledger': (desk, _, __, query) => ledgerOf(desk, query.includes('full=1')),
  'GET /sandbox/scenario': (desk) => desk.scenario,
  'POST /sandbox/scenario': (desk, steer, body) => {
    steer.setScenario(body as ScenarioPatch)
    return desk.scenario
  },
  'POST /sandbox/advance': (_, steer, body) => ({ day: steer.advanceDays(advance.parse(body ?? {}).days) }),
  'POST /sandbox/deleted': (_, steer, body) => {
    const { document } = about.parse(body)
    steer.deleteAnalyses(document)
    return { document }
  },
  'POST /sandbox/generated': (_, steer, body) => steer.alreadyGenerated(about.parse(body).document),
  'POST /sandbox/plant': (_, steer, body) => {
    const { document, ...risk } = plant.parse(body)
    steer.plantChange(document, risk)
    return { document }
  },
  'POST /sandbox/radar': (_, steer, body) => steer.plantRadar(radar.parse(body)),
  'POST /sandbox/requested': (_, steer, body) => steer.alreadyRequested(about.parse(body).document),
  'POST /sandbox/token': (_, steer) => ({ token: steer.giveToken() }),
}

const advance = z.strictObject({ days: z.int().positive().default(1) })
const about = z.strictObject({ document: z.string() })
const figure = z.strictObject({ count: z.int(), cents: z.int() })
const plant = z.strictObject({
  document: z.string(),
  figures: z.record(z.string(), figure).optional(),
  processes: z.int().nonnegative().optional(),
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
