import type { Dice } from './dice.ts'
import type { Fault, File, Incident, Plan, RadarEvent } from './plan.ts'

const second = 1_000
const minute = 60 * second

/** A kind of short history that is about one rule: how many documents it has, and what it changes in a drawn history. */
type Family = { documents: number; focus(plan: Plan, dice: Dice): Plan }

/** Its answer never comes, but it may have been charged. */
const lost: readonly Fault[] = ['lost_before', 'lost_after', 'lost_after', 'hang_after']

/**
 * Nothing but lost calls, and a list that shows them late: no other purchase shows how far behind the list is. Only the lag
 * that is allowed keeps the first lists from proving that nothing was bought.
 */
const lateLists: Family = {
  documents: 8,
  focus: (plan, dice) => ({
    ...plan,
    settings: { ...plan.settings, requestTimeoutMs: 2 * second, listLagMs: 30 * second, perDay: null, adopt: true },
    registry: {
      ...plan.registry,
      page: null,
      total: 'all',
      figures: 'roomy',
      empty: 'array',
      lagMs: 27 * second,
      lags: 'same',
      colleagues: [],
    },
    calls: everyCall(plan, () => dice.pick(lost)),
    files: dice.chance(0.5) ? plan.files.flatMap((file) => oneAlone(file, dice)) : plan.files,
    incidents: [],
  }),
}

/**
 * A list that names a limit far above its length and shows the oldest only: it hides the last calls of a file, whose answers
 * were lost, and what is bought next. Later purchases of documents that a colleague bought long ago stand beside his.
 */
const hiddenNewest: Family = {
  documents: 30,
  focus: (plan, dice) => {
    const all = Array.from({ length: 30 }, (_, document) => document)
    const file = {
      ...plan.files[0]!,
      kind: 'analysis' as const,
      organizationId: 7001,
      maxSpend: null,
      confirmAbove: null,
    }
    const colleagues = all.filter((document) => document >= 20 && document % 3 === 0)
    return {
      ...plan,
      workers: 1,
      files: [
        { ...file, documents: all.slice(0, 20) },
        { ...file, documents: all.slice(20), at: dice.between(10, 20) * second },
      ],
      settings: {
        ...plan.settings,
        requestTimeoutMs: 2 * second,
        listLagMs: 30 * second,
        maxAgeMs: 10 * minute,
        perDay: null,
        adopt: true,
      },
      registry: {
        ...plan.registry,
        page: colleagues.length + dice.between(14, 17),
        pageOf: 'items',
        per: 'document',
        keep: 'oldest',
        total: 'all',
        figures: 'boast',
        empty: 'array',
        lagMs: 27 * second,
        lags: 'each',
        slowMs: 0,
        colleagues: colleagues.map((document) => ({ document, at: -60 * 24 * 60 * minute, kind: 'analysis' })),
      },
      calls: all.slice(14, 20).map((document) => ({ document, nth: 0, fault: dice.pick(lost) })),
      incidents: [],
    }
  },
}

/** One document is asked for some seconds before the others of its file: the list shows theirs before it is surely ours. */
const oneAlone = ({ documents: [first, ...others], ...file }: File, dice: Dice): File[] => {
  const rest = { ...file, documents: others, at: file.at + dice.between(1, 8) * second, maxSpend: null }
  return others.length > 0 ? [{ ...file, documents: [first!] }, rest] : [{ ...file, documents: [first!] }]
}

/**
 * A copy of the database takes over while purchases are made one after the other. They are in no list yet, or nothing but
 * the memory of the database says that purchases which it does not know may be ours, or the first list lacks them.
 */
const olderCopies: Family = {
  documents: 20,
  focus: (plan, dice) => {
    const adopt = dice.chance(0.5)
    const listLagMs = dice.pick([5, 30]) * second
    const lapses = dice.chance(0.3)
    return {
      ...plan,
      settings: { ...plan.settings, listLagMs, adopt, perDay: null, worker: 2, fleet: Math.max(2, plan.workers) },
      registry: { ...plan.registry, page: null, lapses, lagMs: adopt && !lapses ? 0.9 * listLagMs : 0, slowMs: 600 },
      calls: lapses ? everyCall(plan, () => 'lost_after') : plan.calls.slice(0, 3),
      incidents: [
        { at: dice.between(2, 6) * second, is: 'database_rewinds', ms: dice.pick([500, second, 2 * second]) },
      ],
    }
  },
}

/** A worker stands still so long that the others take its share, and wakes up while all of them are busy. */
const oldShares: Family = {
  documents: 40,
  focus: (plan, dice) => {
    const workers = dice.between(2, 3)
    return {
      ...plan,
      workers,
      settings: {
        ...plan.settings,
        requestTimeoutMs: 2 * second,
        deadlineMs: 2 * minute,
        worker: 16,
        fleet: dice.between(workers, 6),
        perDay: null,
      },
      registry: { ...plan.registry, slowMs: 1_500, readyMs: 90 * second, neverReady: [] },
      calls: [],
      incidents: [
        {
          at: dice.between(4, 20) * second,
          is: dice.pick(['pause', 'pause', 'suspend'] as const),
          worker: dice.below(workers),
          ms: dice.between(25, 60) * second,
        },
      ],
    }
  },
}

/** Sweeps of radars that come, go, and change, while workers crash and the list of radars is wrong now and then. */
const sweeps: Family = {
  documents: 12,
  focus: (plan, dice) => {
    const untilMs = dice.between(3, 5) * minute
    const workers = dice.between(1, 3)
    const analysisOn = dice.pick(['change', 'age', 'both'] as const)
    return {
      ...plan,
      workers,
      files: plan.files.slice(0, 1).map((file) => ({ ...file, documents: file.documents.slice(0, 4) })),
      settings: {
        ...plan.settings,
        requestTimeoutMs: 2 * second,
        listLagMs: 0,
        deadlineMs: minute,
        perDay: dice.chance(0.2) ? dice.between(5, 20) : null,
        adopt: true,
        stepwise: dice.chance(0.5),
        fleet: Math.max(4, plan.settings.fleet),
      },
      registry: {
        ...plan.registry,
        page: null,
        total: 'all',
        figures: 'roomy',
        empty: 'array',
        lagMs: 0,
        mixed: 0,
        neverReady: [],
        colleagues: [],
      },
      calls: plan.calls.slice(0, 4),
      incidents: [
        ...(dice.chance(0.3) ? [{ at: 0, is: 'sweep_again' as const, ms: untilMs }] : []),
        ...Array.from({ length: dice.pick([0, 2, 4, 8]) }, () => sweepIncident(dice, workers, untilMs)),
      ],
      radars: {
        everyMinutes: dice.pick([1, 2]),
        untilMs,
        refresh: dice.pick(['processes', 'processes', 'none'] as const),
        analysisOn,
        analysisEvery: dice.pick([null, 2 * minute, 10 * minute]),
        perBatch: dice.chance(0.2) ? dice.between(1, 6) : null,
        events: radarEvents(dice, untilMs),
      },
    }
  },
}

/** Ten radars from the beginning, and what becomes of them and two others. */
const radarEvents = (dice: Dice, untilMs: number): RadarEvent[] => {
  const first = Array.from({ length: 10 }, (_, document) => ({ at: -1, document, is: 'appears' as const }))
  const list = ['appears', 'disappears', 'deactivated', 'reactivated', 'renamed'] as const
  const figures = ['processes', 'totalRisk', 'totalAnalyzed', 'count', 'cents'] as const
  const later = Array.from({ length: dice.between(5, 30) }, (): RadarEvent => {
    const [at, document] = [momentNearSweep(dice, untilMs), dice.below(12)]
    if (dice.chance(0.4)) return { at, document, is: dice.pick(list) }
    return { at, document, is: 'moves', figure: dice.pick(figures), by: dice.pick([-1, 1, 1, 3]) }
  })
  return [...first, ...later.sort((a, b) => a.at - b.at)]
}

/** A sweep begins with a minute, and is mostly over within seconds. */
const momentNearSweep = (dice: Dice, untilMs: number): number =>
  dice.below(untilMs / minute) * minute + dice.below(dice.pick([second, 2 * second, 10 * second, minute]))

const sweepIncident = (dice: Dice, workers: number, untilMs: number): Incident => {
  const at = momentNearSweep(dice, untilMs)
  const worker = dice.below(workers)
  const ms = dice.pick([3, 15, 40]) * second
  return dice.pick<Incident>([
    { at, is: 'crash', worker, afterMs: ms },
    { at, is: 'crash', worker, afterMs: ms },
    { at, is: 'pause', worker, ms },
    { at, is: 'outage', ms, how: dice.pick(['error', 'closed', 'hang'] as const) },
    { at, is: 'plan_ends', ms, how: 'named' },
    { at, is: 'list_away', ms, how: 'error' },
    { at, is: 'database_restarts' },
    { at, is: 'statements_lost', ms: 2 * second },
    { at, is: 'radars_away', ms, how: dice.pick(['error', 'hang', 'null', 'empty', 'half', 'unreadable'] as const) },
    { at, is: 'radars_away', ms, how: dice.pick(['null', 'empty', 'half', 'unreadable'] as const) },
    { at, is: 'sweep_again', ms: minute },
  ])
}

const everyCall = ({ files }: Plan, fault: () => Fault): Plan['calls'] =>
  [...new Set(files.flatMap(({ documents }) => documents))].map((document) => ({ document, nth: 0, fault: fault() }))

export const families: readonly Family[] = [lateLists, olderCopies, oldShares, sweeps, hiddenNewest]
