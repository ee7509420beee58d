import type { Settings } from '../config/settings.ts'
import { batchJobs, lookupJobs } from '../jobs/index.ts'
import type { Tools } from '../jobs/tools.ts'
import { listedAfterMs } from './domain/advance.ts'
import { localDay, nextMidnight } from './domain/calendar.ts'
import { isDatabaseGone, isReadOnly } from './domain/database-gone.ts'
import { spendingKinds } from './domain/kind.ts'
import type { Account } from './domain/lookup.ts'
import { createChunkPace, type Dispatcher, startDispatcher } from './engine/dispatcher.ts'
import { createAtOnce, type Engine } from './engine/engine.ts'
import { joinFleet, type Membership, startFleetClock } from './engine/fleet.ts'
import { createLaneFreer, type TokenSigns } from './engine/hold.ts'
import { createLatches } from './engine/latches.ts'
import { createStepQueue } from './engine/step-writer.ts'
import { createThroughput } from './engine/throughput.ts'
import { workLookupJobs } from './engine/work-lookup-jobs.ts'
import { type Installation, openPlace, openRegistry } from './installation.ts'
import { notifyIncidents } from './monitoring/notify-incidents.ts'
import { createPurchaseCheck } from './purchases/check-purchases.ts'
import { type ServerWatch, watchServer } from './purchases/watch-server.ts'
import { type Boss, startBoss, stopBoss } from './queue/boss.ts'
import { exportQueue } from './queue/queues.ts'
import { createQueues, enqueue, pollQueues, workJobs } from './queue/start-jobs.ts'
import type { Registry } from './registry/create-registry.ts'
import type { Observe } from './registry/turnstile.ts'
import { repeat } from './schedule/start-schedules.ts'
import { isNotified } from './store/connect.ts'

export type Running = AsyncDisposable & {
  tools: Tools
  accounts: readonly Account[]
  engine: Engine<Tools>
  /** From now on no work is taken and no call is sent; `stop` waits for what is under way. */
  beginDraining(): void
  /** Stops taking work, waits for what is in flight, and closes everything in reverse order. */
  stop(): Promise<void>
}

type EngineOptions = {
  clock?: () => Date
  drainMs?: number
  observe?: Observe
  /** False for a command that must not work on the batches of others: it claims no look-up. */
  looksUp?: boolean
}

/** Starts the engine: registry, queues, jobs, dispatch. Every look-up goes through it. */
export const startEngine = async (installation: Installation, options: EngineOptions = {}): Promise<Running> => {
  const { settings, sql, log, home } = installation
  const { looksUp = true } = options
  await using opening = new AsyncDisposableStack()
  const fleetClock = await startFleetClock(sql)
  const clock = options.clock ?? fleetClock.read
  const place = opening.use(await openPlace(settings))
  const throughput = createThroughput()
  const observe: Observe = (exchange) => {
    throughput.observe(exchange)
    options.observe?.(exchange)
  }
  const registry = opening.use(await openRegistry(installation, place, clock, observe))
  const boss = opening.use(await openQueue(installation))
  const { accounts } = place
  const tools: Tools = { sql, boss: boss.boss, registry: registry.registry, accounts, settings, home, clock, log }
  const draining = new AbortController()
  const giveUp = new AbortController()
  let dispatcher: Dispatcher | undefined
  const watch = await watchServer({
    sql,
    home: home.path,
    fleetClock,
    clock,
    log,
    timeoutMs: longestUnknownMs(settings),
  })
  const engine = makeEngine(tools, place.accounts, {
    checkPurchases: createPurchaseCheck({ ...tools, forKind: settings.forKind, watch }),
    wake: () => dispatcher?.wake(),
    draining: draining.signal,
    giveUp: giveUp.signal,
  })
  const fleet = await joinFleet({
    ...fleetOptions(installation, registry.registry, watch),
    clock: fleetClock,
    maySupervise: looksUp,
  })
  opening.defer(() => fleet.leave())
  await workJobs(engine, batchJobs)
  const every = (ms: number, what: string, pass: () => Promise<unknown>): void => {
    const passes = repeat(ms, pass, (err) => log.warn({ err }, `could not ${what}`))
    opening.defer(() => passes.stop())
  }
  // Jobs of dead workers are found so often that they are taken over within 15 s.
  every(2_000, 'supervise the queues', async () => {
    if (fleet.supervises() || !looksUp) await boss.boss.supervise()
  })
  every(boss.listens ? 1_000 : 500, 'poll the queues', () => pollQueues(sql, boss.boss))
  if (looksUp) {
    dispatcher = await startLookingUp(engine, fleet)
    const freeLanes = createLaneFreer(engine, tokenSigns(registry.registry, place.accounts))
    every(2_000, 'check held lanes', async () => {
      if (fleet.supervises()) await freeLanes()
    })
    // What the registry accepted is known only to whoever called it.
    every(5_000, 'check held lanes', async () => {
      if (!fleet.supervises()) await freeLanes()
    })
    every(5_000, 'report incidents', async () => {
      if (fleet.supervises()) await notifyIncidents(tools)
    })
  }
  opening.defer(() => throughput.write(engine).catch((err) => log.warn({ err }, 'could not record the throughput')))
  every(10_000, 'record the throughput', () => throughput.write(engine))
  const opened = opening.move()

  let timeouts: NodeJS.Timeout | undefined
  const beginDraining = (): void => {
    draining.abort()
    timeouts ??= setTimeout(() => giveUp.abort(), options.drainMs ?? 20_000)
  }
  const stop = once(async () => {
    beginDraining()
    await dispatcher?.stop()
    await boss.drain()
    clearTimeout(timeouts)
    await opened.disposeAsync()
  })
  return { tools, accounts: place.accounts, engine, beginDraining, stop, [Symbol.asyncDispose]: stop }
}

const startLookingUp = async (engine: Engine<Tools>, fleet: Membership): Promise<Dispatcher> => {
  const pace = createChunkPace()
  await workLookupJobs(engine, pace)
  return startDispatcher(engine, pace, fleet)
}

/** Any organization can be used for the free call, because all share the token. */
const tokenSigns = ({ token }: Registry, [account]: readonly Account[]): TokenSigns => ({
  provenAt: token.provenAt,
  works: async (signal) => account !== undefined && token.works(account, { signal }),
})

const openQueue = async ({
  databaseUrl,
  sql,
  log,
}: Installation): Promise<AsyncDisposable & { boss: Boss; listens: boolean; drain(): Promise<void> }> => {
  // A pool keeps statements by name only if its connections have sessions of their own, and those are notified.
  const listens = sql.options.prepare || (await isNotified(databaseUrl))
  const boss = await startBoss(databaseUrl, log, { listens })
  await createQueues(boss, lookupJobs, batchJobs)
  const queues = [...lookupJobs, ...batchJobs].map(({ name }) => name)
  const drain = once(() => stopBoss(boss, queues, 25_000))
  return { boss, listens, drain, [Symbol.asyncDispose]: drain }
}

const makeEngine = (
  tools: Tools,
  accounts: readonly Account[],
  controls: Pick<Engine, 'checkPurchases' | 'wake' | 'draining' | 'giveUp'>,
): Engine<Tools> => {
  const { sql, boss, log, clock, settings, registry } = tools
  return {
    ...controls,
    sql,
    boss,
    log,
    clock,
    tools,
    accounts,
    jobs: lookupJobs,
    admit: registry.turnstile.admit,
    latchOf: createLatches(),
    steps: createStepQueue(),
    atOnce: createAtOnce(),
    budgetPerDay: settings.budget.perDay,
    today: (now) => localDay(now, settings.timezone),
    tomorrow: (now) => nextMidnight(now, settings.timezone),
    timeouts: (kind) => {
      const { polling, request, purchases } = settings.forKind[kind]
      const { first, max, deadline } = polling
      return {
        pollFirstMs: first,
        pollMaxMs: max,
        deadlineMs: deadline,
        requestTimeoutMs: request.timeout,
        listLagMs: purchases.listLag,
      }
    },
    async finished(tx, batchIds) {
      for (const id of batchIds) await enqueue(boss, exportQueue, { batchId: String(id) }, tx)
    },
  }
}

/** How long after its start a paid call may still be processed and be missing from the registry's list. */
const longestUnknownMs = ({ forKind }: Settings): number =>
  Math.max(...spendingKinds.map((kind) => listedAfterMs(forKind[kind])))

/** The heartbeat also notices that a database takes writes again: the log has one line for each end of an outage. */
const fleetOptions = ({ sql, settings, log }: Installation, { turnstile }: Registry, watch: ServerWatch) => {
  let isAway = false
  return {
    sql,
    bound: turnstile.bound,
    perWorker: settings.concurrency.worker,
    overall: settings.concurrency.fleet,
    requestTimeoutMs: Math.max(...Object.values(settings.forKind).map(({ request }) => request.timeout)),
    knowsShares: watch.knowsShares,
    onHeartbeat(heartbeat: Parameters<ServerWatch['heartbeat']>[0]) {
      if (isAway) log.info({}, 'the database can be used again')
      isAway = false
      watch.heartbeat(heartbeat)
    },
    onError(error: unknown) {
      isAway ||= isDatabaseGone(error) || isReadOnly(error)
      log.warn({ err: error }, 'could not renew the share of the request limit')
    },
  }
}

const once = (action: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined
  return () => {
    done ??= action()
    return done
  }
}
