import type { Settings } from '../../../config/settings.ts'
import { consultAnalyses } from '../../../jobs/consult-analyses.ts'
import { countProcesses } from '../../../jobs/count-processes.ts'
import { generateAnalyses } from '../../../jobs/generate-analyses.ts'
import { pollCnh } from '../../../jobs/poll-cnh.ts'
import { reconcileSendings } from '../../../jobs/reconcile-sendings.ts'
import { requestCnh } from '../../../jobs/request-cnh.ts'
import type { Tools } from '../../../jobs/tools.ts'
import { listedAfterMs } from '../../../src/domain/advance.ts'
import { localDay, nextMidnight } from '../../../src/domain/calendar.ts'
import type { Account } from '../../../src/domain/lookup.ts'
import { createChunkPace, type Dispatcher, startDispatcher } from '../../../src/engine/dispatcher.ts'
import { createAtOnce, type Engine } from '../../../src/engine/engine.ts'
import { joinFleet, startFleetClock } from '../../../src/engine/fleet.ts'
import { createLaneFreer } from '../../../src/engine/hold.ts'
import { createLatches } from '../../../src/engine/latches.ts'
import { createStepQueue } from '../../../src/engine/step-writer.ts'
import { workLookupJobs } from '../../../src/engine/work-lookup-jobs.ts'
import { createPurchaseCheck } from '../../../src/purchases/check-purchases.ts'
import { watchServer } from '../../../src/purchases/watch-server.ts'
import { createBound } from '../../../src/registry/bound.ts'
import { createRegistry } from '../../../src/registry/create-registry.ts'
import type { Database } from '../../../src/store/connect.ts'
import type { Queue } from '../outside/queue.ts'
import type { RadarsPlan, SettingsPlan } from '../plan/plan.ts'
import { handleOf } from '../store/handle.ts'
import { startSweeping } from './sweeping.ts'
import { vault } from './vault.ts'

const jobs = [generateAnalyses, consultAnalyses, requestCnh, pollCnh, reconcileSendings]
/** Only where something is monitored: each queue costs a history its time. */
const jobsOfSweeps = [...jobs, countProcesses]

export const accounts: readonly Account[] = [
  { organizationId: 7001, holderId: 1, planId: 1 },
  { organizationId: 7002, holderId: 2, planId: 2 },
]

export const timezone = 'America/Sao_Paulo'

export const termsOf = (plan: SettingsPlan) => ({
  request: { timeout: plan.requestTimeoutMs, retries: 2, maxBodyBytes: 1_000_000 },
  polling: { first: 500, max: 10_000, deadline: plan.deadlineMs },
  freshness: plan.freshnessMs,
  purchases: { adopt: plan.adopt, maxAge: plan.maxAgeMs, listLag: plan.listLagMs },
})

export type WorkerOptions = {
  sql: Database
  queue: Queue
  plan: SettingsPlan
  radars: RadarsPlan | null
  /** When the history began. */
  begun: number
  home: string
  log: Tools['log']
  note: (text: string) => void
  finished: (batchIds: bigint[]) => void
}

/** Starts the parts of a worker that look things up, as `startEngine` does. */
export const startWorker = async (options: WorkerOptions): Promise<void> => {
  const { sql, queue, plan, radars, home, log, finished } = options
  const terms = termsOf(plan)
  const forKind = new Proxy({}, { get: () => terms }) as Settings['forKind']
  const fleetClock = await startFleetClock(sql)
  const clock = fleetClock.read
  const bound = createBound({ ceiling: plan.worker })
  const registry = createRegistry({
    url: 'http://registry.invalid',
    credentials: { email: 'a@b', username: 'a', refreshToken: 'refresh-token' },
    vault: vault(sql),
    bound,
    request: terms.request,
    now: clock,
  })
  const settings = { forKind, analysis: { waitForProtest: false } } as Settings
  const boss = queue as unknown as Tools['boss']
  const tools = { sql, boss, registry, accounts, settings, home: {} as Tools['home'], clock, log }
  let dispatcher: Dispatcher | undefined
  const timeoutMs = listedAfterMs(terms)
  const watch = await watchServer({ sql, home, fleetClock, clock, log, timeoutMs })
  const idle = new AbortController().signal
  const engine: Engine<Tools> = {
    sql,
    boss,
    log,
    clock,
    tools,
    accounts,
    jobs: radars ? jobsOfSweeps : jobs,
    checkPurchases: createPurchaseCheck({ ...tools, forKind, watch }),
    admit: registry.turnstile.admit,
    latchOf: createLatches(),
    steps: createStepQueue(),
    atOnce: createAtOnce(),
    budgetPerDay: plan.perDay,
    today: dayOf,
    tomorrow: (now) => midnightAfter(dayOf(now), now),
    timeouts: () => ({
      pollFirstMs: terms.polling.first,
      pollMaxMs: terms.polling.max,
      deadlineMs: terms.polling.deadline,
      requestTimeoutMs: terms.request.timeout,
      listLagMs: terms.purchases.listLag,
    }),
    finished: async (_tx, ids) => finished(ids),
    wake: () => dispatcher?.wake(),
    draining: idle,
    giveUp: idle,
  }
  const fleet = await joinFleet({
    sql,
    bound,
    perWorker: plan.worker,
    overall: plan.fleet,
    requestTimeoutMs: plan.requestTimeoutMs,
    clock: fleetClock,
    onHeartbeat: watch.heartbeat,
    knowsShares: watch.knowsShares,
    onError: () => {},
  })
  const pace = createChunkPace()
  await workLookupJobs(engine, pace)
  dispatcher = startDispatcher(engine, pace, fleet)
  const token = {
    provenAt: registry.token.provenAt,
    works: (signal: AbortSignal) => registry.token.works(accounts[0]!, { signal }),
  }
  const freeLanes = createLaneFreer(engine, token)
  if (radars)
    await startSweeping(
      { ...tools, terms, log: { ...log, info: (_, phrase) => options.note(phrase) } },
      radars,
      options.begun,
    )
  let seconds = 0
  setInterval(() => {
    seconds++
    // It looks for held lanes, and does nothing where there are none.
    if (handleOf(sql).model.tables.lanes.size === 0) return
    if (fleet.supervises() || seconds % 5 === 0) void freeLanes().catch(() => {})
  }, 1_000)
}

const midnights = new Map<string, Date>()

const midnightAfter = (day: string, now: Date): Date => {
  const known = midnights.get(day) ?? nextMidnight(now, timezone)
  midnights.set(day, known)
  return known
}

const days = new Map<number, string>()

/** Days of this zone begin on an hour: asking the calendar once for each is enough. */
export const dayOf = (moment: Date): string => {
  const at = Math.floor(moment.getTime() / 3_600_000)
  const known = days.get(at) ?? localDay(moment, timezone)
  if (days.size > 5_000) days.clear()
  days.set(at, known)
  return known
}
