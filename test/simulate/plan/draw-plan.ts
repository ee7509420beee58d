import type { DateShape } from '../../../src/sandbox/world.ts'
import { createDice, type Dice } from './dice.ts'
import { families } from './families.ts'
import type { BatchAction, CallFault, Fault, File, Incident, Plan, RegistryPlan, SettingsPlan } from './plan.ts'

const documentsOfHistory = 60

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** One history in a number of them is short, and about one rule. */
const shortEvery = 4

/** Draws a history: what is asked for, by how many workers, of which registry, and what goes wrong when. */
export const drawPlan = (seed: number): Plan => {
  if (seed % shortEvery !== shortEvery - 1) return drawAny(seed, documentsOfHistory)
  const family = families[Math.floor(seed / shortEvery) % families.length]!
  return family.focus(drawAny(seed, family.documents), createDice(seed ^ 0x7f4a7c15))
}

const drawAny = (seed: number, documents: number): Plan => {
  const dice = createDice(seed)
  const files = drawFiles(dice, documents)
  const workers = dice.pick([1, 1, 2, 2, 2, 3, 3, 4, 5])
  const settings = drawSettings(dice, documents)
  const focus = dice.pick(focuses)
  if (focus === 'clocks') Object.assign(settings, { requestTimeoutMs: 12 * second, listLagMs: 0, adopt: true })
  const listLagMs = dice.pick([30, 0]) * second
  if (focus === 'lists') Object.assign(settings, { requestTimeoutMs: 2 * second, listLagMs, adopt: true })
  const registry = drawRegistry(dice, settings, documents)
  const erasures = drawErasures(createDice(seed ^ 0x2c1b3c6d), files)
  return {
    seed,
    files: [...files, ...erasures.askedAgain],
    workers,
    settings: { ...settings, fleet: Math.max(settings.fleet, workers) },
    registry: focus === 'lists' ? { ...registry, ...hardLists(dice, settings, documents) } : registry,
    calls: callsOf[focus](dice, documents),
    incidents: [
      ...incidentsOf[focus](dice, workers, files, documents),
      ...drawDeletions(dice, documents),
      ...erasures.incidents,
    ],
    radars: null,
  }
}

/** A tenth of the histories is about clocks, two about lists: chance alone would rarely bring it together. */
const focuses = ['clocks', 'lists', 'lists', ...Array.from({ length: 7 }, () => 'nothing' as const)] as const

/** The documents of a history stand in one file or in several, some of them in two. */
const drawFiles = (dice: Dice, documents: number): File[] => {
  const all = Array.from({ length: documents }, (_, i) => i)
  const count = dice.pick([1, 1, 2, 3])
  const size = Math.ceil(documents / count)
  const files = Array.from({ length: count }, (_, i): File => {
    const own = all.slice(i * size, (i + 1) * size)
    const shared = i > 0 ? all.slice(0, dice.below(8)) : []
    const limited = dice.chance(0.15)
    return {
      kind: dice.chance(0.15) ? 'cnh' : 'analysis',
      organizationId: dice.chance(0.1) ? 7002 : 7001,
      documents: [...own, ...shared.filter((document) => !own.includes(document))],
      at: i === 0 ? 0 : dice.between(0, 15 * second),
      maxSpend: limited ? dice.between(1, own.length) : null,
      confirmAbove: dice.chance(0.1) ? dice.between(1, own.length) : null,
    }
  })
  return files
}

const drawSettings = (dice: Dice, documents: number): SettingsPlan => {
  const requestTimeoutMs = dice.pick([2, 3, 5, 12]) * second
  return {
    requestTimeoutMs,
    listLagMs: dice.pick([0, 2, 5, 30]) * second,
    maxAgeMs: dice.pick([10 * second, minute, 10 * minute]),
    deadlineMs: dice.pick([1, 2, 2, 4]) * minute,
    freshnessMs: 30 * day,
    perDay: dice.chance(0.2) ? dice.between(1, documents) : null,
    worker: dice.pick([2, 4, 8, 16]),
    fleet: dice.pick([2, 4, 8, 16, 16, 64]),
    adopt: dice.chance(0.9),
    lazyMs: dice.pick([0, 1_000, 3_000, 3_000, 5_000, 5_000, 5_000]),
    stepwise: dice.chance(0.2),
    sameHost: dice.chance(0.5),
    minuteOfDay: dice.chance(0.1) ? 24 * 60 - 1 : dice.below(24 * 60),
  }
}

const shapes: readonly DateShape[] = [
  'zoned',
  'zoned',
  'epoch',
  'zoneless',
  'brazilian',
  'day',
  'brazilianDay',
  'none',
  'zero',
  'startOfEpoch',
  'epochSeconds',
  'monthFirst',
]

const drawRegistry = (dice: Dice, settings: SettingsPlan, documents: number): RegistryPlan => {
  const odd = <T>(usual: T, others: readonly T[], share = 0.25): T => (dice.chance(share) ? dice.pick(others) : usual)
  return {
    order: odd('newest', ['oldest', 'shuffled']),
    page: odd(null, [10, 25, 500, 1], 0.15),
    pageOf: odd('items', ['analyses'], 0.1),
    keep: odd('newest', ['oldest', 'any'], 0.4),
    total: odd('all', ['page'], 0.3),
    figures: odd('roomy', ['own', 'own', 'length', 'analyses', 'zero', 'null'], 0.5),
    per: odd('document', ['analysis'], 0.2),
    deleted: odd('listed', ['hidden'], 0.3),
    empty: odd('array', ['null', 'missing', 'refusal'], 0.3),
    lagMs: odd(
      0,
      [0.2, 0.5, 0.9].map((share) => share * settings.listLagMs),
      0.3,
    ),
    lags: odd('same', ['each'], 0.3),
    lapses: false,
    dates: {
      shape: odd('zoned', shapes, 0.5),
      zoneMs: odd(-3 * hour, [-4 * hour, -2 * hour, 0], 0.3),
      clockMs: odd(0, [-3 * minute, 3 * minute, -90 * minute], 0.2),
      apartMs: odd(0, [minute, 20 * minute], 0.1),
    },
    hidesNewMs: odd(0, [500, 1_500, 5_000], 0.3),
    readyMs: dice.pick([0, 0, 300, 3_000, 20_000]),
    slowMs: odd(0, [150, 600, 1_500], 0.25),
    mixed: odd(0, [0.1], 0.2),
    neverReady: Array.from({ length: dice.chance(0.2) ? 2 : 0 }, () => dice.below(documents)),
    colleagues: Array.from({ length: dice.pick([0, 0, 2, 6]) }, () => ({
      document: dice.below(documents),
      at: dice.pick([-60 * day, -2 * day, -hour, -hour, -minute, dice.between(0, 40 * second)]),
      kind: dice.chance(0.2) ? 'cnh' : 'analysis',
    })),
  }
}

const faults: readonly Fault[] = [
  'lost_before',
  'hang_before',
  'lost_after',
  'lost_after',
  'hang_after',
  'hang_after',
  'late',
  'refused_charged',
  'refused',
  'payment_required_charged',
  'payment_required',
  'forbidden_charged',
  'invalid_charged',
  'mixed_up',
  'error_charged',
  'error',
  'html_charged',
  'too_many',
]

/** Some documents have a paid call that goes wrong, a few of them more than one. */
const drawCallFaults = (dice: Dice, documents: number): CallFault[] => {
  const share = dice.pick([0, 0.05, 0.1, 0.3])
  const only = dice.chance(0.3) ? dice.pick(faults) : null
  return Array.from({ length: documents }, (_, document) => document).flatMap((document) => {
    if (!dice.chance(share)) return []
    const times = dice.pick([1, 1, 1, 2, 3])
    return Array.from({ length: times }, (_, nth) => ({ document, nth, fault: only ?? dice.pick(faults) }))
  })
}

/**
 * Lists that show each purchase at its own time, up to the lag that is allowed, or only some; others bought long ago.
 *
 * A purchase is missing for a moment only where the list has no lag: otherwise two lists would lack it, which is a limit.
 */
const hardLists = (dice: Dice, { listLagMs }: SettingsPlan, documents: number): Partial<RegistryPlan> => ({
  page: listLagMs > 0 ? dice.pick([null, 25]) : null,
  pageOf: 'items',
  keep: dice.pick(['newest', 'oldest', 'any']),
  total: 'all',
  figures: dice.pick(['roomy', 'boast']),
  lapses: listLagMs === 0,
  slowMs: 0,
  lagMs: 0.9 * listLagMs,
  lags: dice.pick(['same', 'each']),
  colleagues: Array.from({ length: documents / 3 }, (_, i) => ({ document: 3 * i, at: -60 * day, kind: 'analysis' })),
})

const withFault = (fault: (document: number) => Fault, documents: number): CallFault[] =>
  Array.from({ length: documents }, (_, document) => ({ document, nth: 0, fault: fault(document) }))

const lostOrRefused: readonly Fault[] = [
  'lost_before',
  'lost_after',
  'hang_after',
  'late',
  'refused_charged',
  'refused',
]

const callsOf: Record<(typeof focuses)[number], (dice: Dice, documents: number) => CallFault[]> = {
  clocks: (_, documents) => withFault(() => 'late', documents),
  lists: (dice, documents) => withFault(() => dice.pick(lostOrRefused), documents).filter(() => dice.chance(0.5)),
  nothing: (dice, documents) => drawCallFaults(dice, documents),
}

const clockSteps = (dice: Dice, workers: number): Incident[] =>
  Array.from({ length: 3 }, (_, i) => ({
    at: i * second + dice.below(second),
    is: 'clock',
    worker: i % workers,
    ms: dice.pick([-2 * minute, -minute, minute, 25 * hour]),
  }))

const drawIncidents = (dice: Dice, workers: number, files: File[], documents: number): Incident[] => {
  const count = dice.pick([0, 1, 2, 4, 8])
  const incidents = Array.from({ length: count }, () => drawIncident(dice, workers, files, documents))
  return incidents.sort((a, b) => a.at - b.at)
}

const incidentsOf: Record<(typeof focuses)[number], typeof drawIncidents> = {
  clocks: clockSteps,
  lists: () => [],
  nothing: (...drawn) => drawIncidents(...drawn),
}

/** Now and then the registry deletes much of what was just bought: before it was answered, or while its answer was lost. */
const drawDeletions = (dice: Dice, documents: number): Incident[] => {
  if (!dice.chance(0.06)) return []
  const at = dice.between(second, 3 * second)
  return Array.from({ length: 20 }, () => ({ at, is: 'purchase_deleted', document: dice.below(documents) }))
}

/** In some histories people of one file are erased, and mostly asked about again. */
const drawErasures = (dice: Dice, files: File[]): { incidents: Incident[]; askedAgain: File[] } => {
  if (!dice.chance(0.15)) return { incidents: [], askedAgain: [] }
  const file = dice.pick(files)
  const documents = [...new Set(Array.from({ length: dice.between(1, 6) }, () => dice.pick(file.documents)))]
  const incidents = documents.map((document) => {
    const at = file.at + dice.below(dice.pick([3, 10, 40]) * second)
    return { at, is: 'erase' as const, document }
  })
  const at = file.at + dice.between(5, 50) * second
  const again = { ...file, documents, at, maxSpend: null, confirmAbove: null }
  return { incidents, askedAgain: dice.chance(0.7) ? [again] : [] }
}

const actions: readonly BatchAction[] = ['pause', 'resume', 'cancel', 'retry', 'confirm', 'limit']

const drawIncident = (dice: Dice, workers: number, files: File[], documents: number): Incident => {
  const at = dice.pick([dice.below(2 * second), dice.below(10 * second), dice.below(50 * second)])
  const worker = dice.below(workers)
  const ms = dice.pick([300, 3 * second, 15 * second, 30 * second, minute])
  const file = dice.below(files.length)
  return {
    at,
    ...dice.pick<() => Omit<Incident, 'at'>>([
      () => ({ is: 'crash', worker, afterMs: ms }),
      () => ({ is: 'crash', worker, afterMs: ms }),
      () => ({ is: 'crash', worker, afterMs: ms }),
      () => ({ is: 'pause', worker, ms }),
      () => ({ is: 'pause', worker, ms }),
      () => ({ is: 'suspend', worker, ms }),
      () => ({ is: 'clock', worker, ms: dice.pick([-2 * minute, -minute, -5 * second, minute, 25 * hour]) }),
      () => ({ is: 'clock', worker, ms: dice.pick([-2 * minute, -minute, -5 * second, minute, 25 * hour]) }),
      () => ({ is: 'outage', ms, how: dice.pick(['error', 'closed', 'hang', 'html'] as const) }),
      () => ({ is: 'plan_ends', ms, how: dice.pick(['named', 'payment', 'forbidden'] as const) }),
      () => ({ is: 'plan_refuses_answers', ms }),
      () => ({ is: 'token_expires' }),
      () => ({ is: 'token_dies', ms }),
      () => ({ is: 'list_away', ms, how: dice.pick(['error', 'hang', 'array'] as const) }),
      () => ({ is: 'purchase_deleted', document: dice.below(documents) }),
      () => ({ is: 'database_restarts' }),
      () => ({ is: 'database_rewinds', ms: dice.pick([200, 2 * second, 20 * second]) }),
      () => ({ is: 'database_rewinds', ms: dice.pick([200, 2 * second, 20 * second]) }),
      () => ({ is: 'database_clock', ms: dice.pick([-minute, -2 * second, minute]) }),
      () => ({ is: 'statements_lost', ms: dice.pick([100, 2 * second]) }),
      () => ({ is: 'batch', file, action: dice.pick(actions) }),
      () => ({ is: 'batch', file, action: dice.pick(actions) }),
      () => ({ is: 'batch', file, action: dice.pick(actions) }),
      () => ({ is: 'lane', action: dice.pick(['hold', 'resume'] as const), kind: files[file]!.kind }),
      () => ({ is: 'settle', how: dice.chance(0.8) ? 'truth' : 'drop' }),
    ])(),
  } as Incident
}
