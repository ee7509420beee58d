import { randomUUID } from 'node:crypto'
import type { Step as Transition } from '../../../src/domain/advance.ts'
import { holdCauses } from '../../../src/domain/call-failure.ts'
import type { FinalState, LookupState } from '../../../src/domain/lookup.ts'
import type { Dice } from '../plan/dice.ts'
import type { ModelDatabase } from '../store/database.ts'
import type { LookupRecord } from '../store/tables.ts'
import { nightCourses, nightOperations } from './night-operations.ts'
import { drawFigures } from './nights.ts'

/** What chance needs to make the arguments of a call that could happen now. */
export type Scene = { dice: Dice; model: ModelDatabase; at: Date; server: string }

/** A function of the store, and how its arguments are drawn; null where nothing there could be called with. */
export type Operation = { module: string; name: string; draw(scene: Scene): unknown[] | null; isUnordered?: boolean }

/** What a constraint may refuse: PostgreSQL then needs a savepoint. */
export const mayFail = new Set([
  'writeSteps',
  'settleParked',
  'beginSending',
  'returnToBatch',
  'returnToDay',
  'askLookups',
  'adoptBought',
])

const lane = { organizationId: 7001, kind: 'analysis' as const }
const documents = ['10000000019', '10000000108', '10000000280', '10000000361', '10000000442']
const soon = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

const lookups = ({ model }: Scene): LookupRecord[] => [...model.tables.lookups.values()]
const some = <T>({ dice }: Scene, list: T[], share = 0.6): T[] => list.filter(() => dice.chance(share))
const one = <T>({ dice }: Scene, list: T[]): T | null => (list.length > 0 ? dice.pick(list) : null)
const batchOf = (scene: Scene): bigint => one(scene, [...scene.model.tables.batches.keys()])!
/** The newest claim, mostly. */
const claimOf = ({ dice, model }: Scene): string => {
  const claims = [...model.tables.claims.keys()]
  return (dice.chance(0.8) ? claims.at(-1) : claims[0]) ?? randomUUID()
}
const idsOf = (list: { id: bigint }[]): bigint[] => list.map(({ id }) => id)
const when = ({ dice, at }: Scene): Date => soon(at, dice.pick([-7_200_000, -60_000, 0, 60_000, 7_200_000]))
const message = ({ dice }: Scene) => dice.pick([['no_reason'], ['lost_unproven'], ['there_is_none']] as const)
const snapshots = ({ model }: Scene): bigint[] => [...model.tables.snapshots.keys()]

/** A question that may have been asked before. */
const questionsOf = (scene: Scene) =>
  some(scene, documents).map((question) => ({ question, documentType: 'CPF', label: null }))

const scopeOf = (scene: Scene) => {
  const scopes = [{ batch: batchOf(scene) }, { lookups: idsOf(some(scene, lookups(scene))) }, null]
  return scene.dice.pick(scopes)
}

const asking = (scene: Scene) => ({
  ...lane,
  batchId: batchOf(scene),
  freshSince: soon(scene.at, scene.dice.pick([-86_400_000, -1_000])),
  deadlineAt: soon(scene.at, 3_600_000),
  now: scene.at,
})

/** One is the other, or takes the purchase that the other has until then: which is first in a statement is not defined. */
const meets = ({ model }: Scene, one: Transition, other: Transition): boolean => {
  const held = model.tables.lookups.get(other.id)?.remoteId ?? null
  return one.id === other.id || (held !== null && one.remote?.id === held)
}

const finals: readonly FinalState[] = ['ok', 'failed', 'timed_out', 'unknown_outcome', 'not_found', 'denied']

/** The answer of a count of processes, or of an analysis. */
const answerOf = ({ dice }: Scene) => {
  const counts = drawFigures(dice)
  const cents = drawFigures(dice).map((figure) => (figure === null ? null : BigInt(figure)))
  const amounts = cents.map((figure) => (figure === null ? null : `0,0${figure}`))
  const fields = { protestStatus: dice.pick([null, 'DONE', 'INITIAL']) }
  return dice.chance(0.5) ? { total: dice.below(3) } : { summary: { counts, cents, amounts, others: {} }, fields }
}

/** A transition as `advance` makes them, of a look-up that some job has. */
const transitionOf = (scene: Scene): { step: Transition; sentAt: Date | null } | null => {
  const { dice, model, at } = scene
  const open = lookups(scene).filter(({ finishedAt }) => finishedAt === null)
  const sent = open.filter(({ id, state }) => state === 'sending' || model.tables.intents.has(id))
  const lookup = one(scene, sent.length > 0 && dice.chance(0.7) ? sent : open)
  if (!lookup) return null
  const intent = model.tables.intents.get(lookup.id)
  const sentAt = intent && dice.chance(0.8) ? intent.sentAt : null
  const from = (intent ? 'sending' : lookup.state) as LookupState
  const to = dice.pick<LookupState>(['queued', 'waiting', 'sending', ...finals])
  const isOpen = to === 'queued' || to === 'waiting' || to === 'sending'
  const remoteId = dice.pick(['5000', '5001', '5002', '5003'])
  const charged = to === 'sending' || to === 'unknown_outcome' ? 'unknown' : dice.pick(['yes', 'no'] as const)
  const step: Transition = {
    id: lookup.id,
    from,
    sendingAt: dice.chance(0.9) ? lookup.sentAt : at,
    to,
    dueAt: isOpen ? when(scene) : null,
    deadlineAt: soon(at, 3_600_000),
    attempts: dice.below(4),
    polls: dice.below(4),
    unlistedAt: dice.chance(0.2) ? at : null,
    refusedAs: to === 'sending' && dice.chance(0.4) ? 'queued' : null,
    remote: to === 'queued' ? null : { id: remoteId, key: '1' },
    charged,
    seen: dice.chance(0.5) ? 'DONE' : null,
    detail: dice.chance(0.5) ? [...message(scene)] : null,
    answer: to === 'ok' ? answerOf(scene) : null,
    asOf: null,
    adopted: dice.chance(0.2),
    history: ['text', 'x'],
  } as Transition
  return { step, sentAt }
}

const listed = ({ dice, at }: Scene) =>
  documents
    .filter(() => dice.chance(0.4))
    .map((document, i) => {
      const dated = dice.chance(0.7) ? soon(at, dice.pick([-86_400_000 * 60, -3_600_000, 0])) : null
      const id = dice.pick(['5000', '5001', `60${i}`, `61${i}`])
      const written = dated?.toISOString() ?? null
      return {
        id,
        key: '1',
        document,
        dated: written,
        datedFrom: dated,
        datedTo: dated,
        status: 'DONE',
        deleted: dice.chance(0.1),
      }
    })
    .filter((each, i, all) => all.findIndex(({ id }) => id === each.id) === i)

const ended = ({ dice, at }: Scene) => ({
  items: dice.pick([null, 1, 3, 10]),
  analyses: dice.pick([1, 3, 10]),
  limit: dice.pick([null, 1, 3, 10, 100]),
  complete: dice.chance(0.6),
  lacks: dice.chance(0.3),
  misdated: dice.chance(0.2),
  oldestAt: dice.chance(0.5) ? at : null,
  youngestAt: dice.chance(0.5) ? at : null,
  requiredAt: dice.chance(0.5) ? at : null,
  awaitedAt: dice.chance(0.3) ? at : null,
})

const op = (module: string, name: string, draw: Operation['draw'], isUnordered = true): Operation => ({
  module,
  name,
  draw,
  isUnordered,
})

const open = ['queued', 'sending', 'waiting'] as const
const steps = open.map((state) => ({ kind: 'analysis', state, mostRows: 100 }))
const today = '2026-11-18'

export const operations: readonly Operation[] = [
  op('lookups/ask-lookups', 'askLookups', (s) => [questionsOf(s), asking(s)]),
  op('lookups/ask-lookups', 'askLookups', (s) => [questionsOf(s), asking(s)]),
  op('lookups/claims', 'claimLookups', (s) => {
    const state = s.dice.pick(open)
    const ids = idsOf(
      some(
        s,
        lookups(s).filter((l) => l.state === state),
      ),
    )
    return ids.length > 0 ? [[{ jobId: randomUUID(), state, ids }], s.at] : null
  }),
  op('lookups/claims', 'endClaim', (s) => [claimOf(s)]),
  op('lookups/claims', 'postponeLookups', (s) => [idsOf(some(s, lookups(s))), s.dice.pick(open), when(s)]),
  op('lookups/claims', 'putOffUnsent', (s) => [
    some(s, lookups(s)).map(({ id }) => ({ id, reason: [...message(s)] })),
    1_000,
    s.at,
  ]),
  op('lookups/claims', 'releaseFromDead', (s) => [claimOf(s), s.dice.pick([1, 2, 5]), s.at]),
  op('lookups/due-lookups', 'hasOpenBatch', () => []),
  op('lookups/due-lookups', 'hasOpenBatch', () => []),
  op('lookups/due-lookups', 'findDueBatches', (s) => [steps, s.at]),
  op('lookups/due-lookups', 'findDueLookups', (s) => [
    steps.map(({ kind, state }) => ({ kind, state, batchId: batchOf(s), take: 50, trial: false })),
    s.at,
  ]),
  op('lookups/intents', 'beginSending', (s) => [
    idsOf(some(s, lookups(s))),
    claimOf(s),
    { now: s.at, judgedAfterMs: s.dice.pick([-60_000, 3_600_000]), server: s.dice.chance(0.9) ? s.server : 'another' },
    s.dice.chance(0.7) ? { day: today, perDay: s.dice.pick([null, 2, 100]) } : null,
  ]),
  op('lookups/intents', 'takeBackIntents', (s) => [
    some(s, [...s.model.tables.intents.values()], 0.2).map(({ lookupId, sentAt }) => ({
      id: lookupId,
      sendingAt: s.dice.chance(0.9) ? sentAt : s.at,
    })),
  ]),
  op('lookups/intents', 'recordUnknownOutcomes', (s) => [s.at]),
  op('lookups/lookup-rows', 'readWorkable', (s) => [idsOf(some(s, lookups(s))), claimOf(s), s.at]),
  op('lookups/lookup-steps', 'endOverBudget', (s) => [idsOf(some(s, lookups(s), 0.2)), s.at]),
  ...Array.from({ length: 5 }, () =>
    op('lookups/lookup-steps', 'writeSteps', (s) => {
      const taken = [transitionOf(s), s.dice.chance(0.4) ? transitionOf(s) : null].filter((each) => each !== null)
      const [one, other] = taken
      if (!one) return null
      return [other && !meets(s, one.step, other.step) && !meets(s, other.step, one.step) ? [one, other] : [one], s.at]
    }),
  ),
  op('lookups/overdue', 'lockOverdue', (s) => [soon(s.at, 7_200_000)]),
  op('lookups/overdue', 'endOverdue', (s) => {
    const ids = idsOf(
      some(
        s,
        lookups(s).filter(({ state }) => state === 'queued' || state === 'waiting'),
      ),
    )
    return [ids, s.at]
  }),
  op('lookups/overdue', 'parkUnjudged', (s) => [soon(s.at, s.dice.pick([0, 10_000_000]))]),
  op('lookups/lookups', 'isOwned', (s) => [{ ...lane, organizationId: 7001n }, s.dice.pick(['5000', '5001', '600'])]),
  op('lookups/lookups', 'keepOwned', (s) => [idsOf(some(s, lookups(s), 0.3))]),
  op('lookups/lookups', 'settleParked', (s) => {
    const lookup = one(
      s,
      lookups(s).filter(({ state }) => state === 'unknown_outcome'),
    )
    if (!lookup) return null
    const to = s.dice.pick(['waiting', 'queued', 'cancelled'] as const)
    const remote = to === 'waiting' ? { id: s.dice.pick(['5000', '700']), key: '1' } : undefined
    return [
      { lookupId: lookup.id, sendingAt: lookup.sentAt },
      { to, remote, history: ['text', 'x'], batchId: s.dice.chance(0.7) ? batchOf(s) : null },
      soon(s.at, 1_000),
      s.at,
    ]
  }),
  op('lookups/parked-rows', 'reopenBatchesOf', (s) => {
    const lookup = one(s, lookups(s))
    return lookup && [lookup.id, s.dice.chance(0.5) ? batchOf(s) : null]
  }),
  op('purchases/spending', 'reserveForBatch', (s) => [batchOf(s), s.dice.below(5)]),
  op('purchases/spending', 'reserveForDay', (s) => [today, s.dice.below(5), s.dice.pick([null, 3, 100])]),
  op('purchases/spending', 'returnToBatch', (s) => [batchOf(s), s.dice.below(3)]),
  op('purchases/spending', 'returnToDay', (s) => [today, s.dice.below(3)]),
  op('purchases/spending', 'spentOn', () => [today]),
  op('purchases/list-snapshots', 'buyersWaiting', () => [lane]),
  op('purchases/list-snapshots', 'beginListRead', () => [lane]),
  op('purchases/list-snapshots', 'endListRead', (s) => [one(s, snapshots(s)) ?? 0n, ended(s)]),
  op('purchases/list-snapshots', 'endListRead', (s) => [one(s, snapshots(s)) ?? 0n, ended(s)]),
  op('purchases/list-snapshots', 'failListRead', (s) => [one(s, snapshots(s)) ?? 0n, [...message(s)]]),
  op('purchases/list-snapshots', 'latestListSnapshot', () => [lane]),
  op('purchases/list-snapshots', 'newestListSnapshotId', () => [lane]),
  op('purchases/list-snapshots', 'completeAsOf', (s) => [lane, some(s, snapshots(s))]),
  op('purchases/list-snapshots', 'latestProblem', () => [lane]),
  op('purchases/list-snapshots', 'firstListSince', (s) => [lane, when(s)]),
  op('purchases/list-snapshots', 'wasReadFor', (s) => [lane, idsOf(some(s, lookups(s))), s.dice.pick([0, 3_600_000])]),
  op('purchases/purchases', 'recordPurchases', (s) => {
    const snapshot = one(s, snapshots(s))
    return snapshot === null ? null : [lane, snapshot, listed(s)]
  }),
  op('purchases/purchases', 'recordPurchases', (s) => {
    const snapshot = one(s, snapshots(s))
    return snapshot === null ? null : [lane, snapshot, listed(s)]
  }),
  op('purchases/purchases', 'unownedPurchases', () => [lane, documents], false),
  op('purchases/purchases', 'mayFindOurs', (s) => [lane, { sentAfter: when(s), refusedAfter: when(s) }]),
  op('purchases/purchases', 'hasPurchases', () => [lane]),
  op('purchases/purchases', 'isKnownDayFirst', () => [lane]),
  op('purchases/purchases', 'latestOfEach', (s) => [lane, soon(s.at, -86_400_000), soon(s.at, 86_400_000)]),
  op('purchases/adopt-bought', 'adoptBought', (s) => [
    s.dice.chance(0.5) ? { batchId: batchOf(s) } : { ids: idsOf(some(s, lookups(s))) },
    {
      of: s.dice.pick(['any', 'forgotten']),
      freshSince: soon(s.at, -86_400_000),
      deadlineAt: soon(s.at, 3_600_000),
      now: s.at,
    },
  ]),
  op('people/erase', 'lockSettledLookups', (s) => [s.dice.pick(documents)]),
  op('people/erase', 'batchesOfLookups', (s) => [idsOf(some(s, lookups(s), 0.2))]),
  op('people/erase', 'endOpenLookups', (s) => [idsOf(some(s, lookups(s), 0.3)), s.at]),
  op('people/erase', 'eraseRecords', (s) => {
    const listed = one(s, [...s.model.tables.purchases.values()])?.document
    const document = listed && s.dice.chance(0.5) ? listed : s.dice.pick(documents)
    return [idsOf(lookups(s).filter(({ question }) => question === document)), document]
  }),
  op('fleet/lanes', 'holdLane', (s) => {
    const hold = {
      cause: s.dice.pick(holdCauses),
      reason: [...message(s)],
      trialAt: s.dice.chance(0.8) ? when(s) : null,
    }
    return [lane, { ...hold, exactly: s.dice.chance(0.3) }, s.at]
  }),
  op('fleet/lanes', 'beginTrial', (s) => {
    const trialAt = when(s)
    return [lane, s.at, () => trialAt]
  }),
  op('fleet/lanes', 'tryLaneSoon', (s) => [lane, s.at]),
  op('fleet/lanes', 'tryLaneWithNew', (s) => [lane, s.at]),
  op('fleet/lanes', 'freeLane', () => [lane]),
  op('fleet/lanes', 'freeLaneHeldFor', (s) => [lane, s.dice.pick(holdCauses)]),
  op('fleet/lanes', 'freeLanesHeldFor', (s) => [s.dice.pick(holdCauses)]),
  op('fleet/lanes', 'freeLanesProvenBy', (s) => [when(s)]),
  op('fleet/lanes', 'freeIdleLanes', (s) => [when(s)]),
  op('fleet/lanes', 'heldLanes', () => []),
  op('batches/counts', 'findComplete', () => [null]),
  op('batches/counts', 'recount', (s) => [batchOf(s), s.at]),
  op('batches/counts', 'findUncountedBatches', () => []),
  op('batches/batch-actions', 'confirmSpending', (s) => [batchOf(s)]),
  op('batches/batch-actions', 'setMaxSpend', (s) => [batchOf(s), s.dice.pick([null, 0, 1, 5, 50])]),
  op('batches/batch-actions', 'runConfirmed', (s) => [batchOf(s), s.at]),
  op('batches/batch-actions', 'setCancelled', (s) => (s.dice.chance(0.3) ? [batchOf(s)] : null)),
  op('batches/batch-actions', 'setPaused', (s) => [batchOf(s), s.dice.chance(0.5) ? s.at : null]),
  op('batches/batch-actions', 'renewDeadlines', (s) => [batchOf(s), soon(s.at, s.dice.pick([1_000, 7_200_000]))]),
  op('batches/payers', 'assignPayers', (s) => [scopeOf(s), s.dice.chance(0.3) ? soon(s.at, 7_200_000) : null]),
  op('batches/payers', 'findHalfCancelled', () => []),
  op('batches/payers', 'cancelQueued', (s) => (s.dice.chance(0.3) ? [batchOf(s), s.at] : null)),
  op('batches/payers', 'leaveShared', (s) => (s.dice.chance(0.3) ? [batchOf(s)] : null)),
  ...nightOperations,
]

/** Calls that belong together: by chance alone few sequences would get far. */
export const courses: readonly (readonly string[])[] = [
  ['claimLookups', 'readWorkable', 'beginSending', 'writeSteps', 'writeSteps', 'endClaim'],
  ['claimLookups', 'beginSending', 'recordUnknownOutcomes', 'claimLookups', 'writeSteps'],
  ['claimLookups', 'releaseFromDead', 'findDueLookups', 'claimLookups', 'writeSteps'],
  ['beginListRead', 'recordPurchases', 'endListRead', 'adoptBought', 'unownedPurchases', 'completeAsOf'],
  ['beginListRead', 'endListRead', 'beginListRead', 'endListRead', 'latestListSnapshot', 'completeAsOf'],
  ['writeSteps', 'writeSteps', 'askLookups', 'findComplete', 'keepOwned', 'isOwned'],
  ['holdLane', 'findDueBatches', 'claimLookups', 'readWorkable', 'beginTrial', 'endOverdue', 'buyersWaiting'],
  ['writeSteps', 'settleParked', 'reopenBatchesOf', 'recount'],
  ['setPaused', 'assignPayers', 'setMaxSpend', 'assignPayers', 'setPaused', 'assignPayers', 'runConfirmed'],
  ['writeSteps', 'lockSettledLookups', 'endOpenLookups', 'eraseRecords', 'batchesOfLookups'],
  ['writeSteps', 'eraseRecords', 'askLookups', 'adoptBought', 'eraseRecords'],
  ['recordPurchases', 'eraseRecords', 'recordPurchases', 'askLookups', 'adoptBought', 'unownedPurchases'],
  ['setCancelled', 'assignPayers', 'cancelQueued', 'leaveShared', 'recount', 'findHalfCancelled'],
  ...nightCourses,
]
