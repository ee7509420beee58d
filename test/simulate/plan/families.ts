import type { Dice } from './dice.ts'
import type { Fault, Plan } from './plan.ts'

const second = 1_000
const minute = 60 * second

/** A kind of short history that is about one rule: how many documents it has, and what it changes in a drawn history. */
type Family = { documents: number; focus(plan: Plan, dice: Dice): Plan }

/** Its answer never comes, but it may have been charged. */
const lost: readonly Fault[] = ['lost_before', 'lost_after', 'lost_after', 'hang_after']

/**
 * Nothing but lost calls, and a list that shows them late: no other purchase tells how far behind the list is. Only the lag
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
    incidents: [],
  }),
}

/**
 * A copy of the database takes over while purchases are made one after the other. They are in no list yet, or nothing but
 * the memory of the database says that purchases which it does not know may be ours.
 */
const olderCopies: Family = {
  documents: 20,
  focus: (plan, dice) => {
    const adopt = dice.chance(0.5)
    const listLagMs = dice.pick([5, 30]) * second
    return {
      ...plan,
      settings: { ...plan.settings, listLagMs, adopt, perDay: null, worker: 2, fleet: Math.max(2, plan.workers) },
      registry: { ...plan.registry, page: null, lagMs: adopt ? 0.9 * listLagMs : 0, slowMs: 600 },
      calls: plan.calls.slice(0, 3),
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

const everyCall = ({ files }: Plan, fault: () => Fault): Plan['calls'] =>
  [...new Set(files.flatMap(({ documents }) => documents))].map((document) => ({ document, nth: 0, fault: fault() }))

export const families: readonly Family[] = [lateLists, olderCopies, oldShares]
