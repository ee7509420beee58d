import { riskChanges } from '../../../src/domain/risk-change.ts'
import { drawRadar, monitored, sweepIds } from './nights.ts'
import type { Operation, Scene } from './operations.ts'

const organization = 7001n
const night = sweepIds[2]!

const some = <T>({ dice }: Scene, list: readonly T[]): T[] => list.filter(() => dice.chance(0.7))
const anySweep = ({ dice }: Scene): bigint => dice.pick([night, night, night, ...sweepIds])
const idOf = ({ dice, model }: Scene, document: string): bigint | null => {
  const own = [...model.tables.lookups.values()].filter(({ question }) => question === document)
  return own.length > 0 && dice.chance(0.8) ? dice.pick(own).id : null
}
const message = ['list_unread', ['no_reason']]

const op = (module: string, name: string, draw: Operation['draw'], isUnordered = true): Operation => ({
  module: `radars/${module}`,
  name,
  draw,
  isUnordered,
})

const listed = (s: Scene) => some(s, monitored).map((document) => drawRadar(s.dice, document))
const totals = (s: Scene) =>
  some(s, monitored).map((document) => ({
    document,
    totalRisk: s.dice.pick([null, 1, 2, 3]),
    totalAnalyzed: s.dice.pick([null, 1, 2, 3]),
  }))

/** What sweeps ask of the store. Two of them may not begin here: their numbers are those of PostgreSQL. */
export const nightOperations: readonly Operation[] = [
  op('radars', 'compareSize', (s) => [7001, some(s, monitored)]),
  op('radars', 'applyRadarList', (s) => [anySweep(s), 7001, listed(s), s.at]),
  op('radars', 'keepSuspicious', (s) => [
    { organizationId: 7001, sweepId: night, message, radars: listed(s), seenAt: s.at },
  ]),
  op('snapshots', 'planSnapshots', (s) => [anySweep(s), 7001]),
  op(
    'snapshots',
    'documentsToAsk',
    (s) => {
      const again = s.dice.chance(0.6) ? [{ mostTries: 4, endedBefore: s.at }] : []
      return [anySweep(s), organization, s.dice.pick([1, 10]), ...again]
    },
    false,
  ),
  op('snapshots', 'recordAsked', (s) => {
    const asked = some(s, monitored).map((document) => ({
      document,
      processes: idOf(s, document),
      analysis: idOf(s, document),
    }))
    return [night, organization, asked]
  }),
  op('snapshots', 'sweepProgress', (s) => [
    anySweep(s),
    [organization],
    { mostTries: s.dice.pick([2, 4]), compares: s.dice.chance(0.5) },
  ]),
  op('snapshots', 'takeSnapshots', (s) => [
    anySweep(s),
    { organizationIds: s.dice.chance(0.8) ? [7001, 7002] : [], now: s.at },
  ]),
  op('snapshots', 'streamDifferences', (s) => [anySweep(s)]),
  op('free-figures', 'recordTotals', (s) => [anySweep(s), organization, totals(s)]),
  op('free-figures', 'forgetTotals', (s) => (s.dice.chance(0.3) ? [night, organization] : null)),
  op('free-figures', 'endTotals', (s) => [night, organization, s.dice.pick(['read', 'failed'])]),
  op(
    'free-figures',
    'uncomparedDocuments',
    (s) => {
      const id = anySweep(s)
      return [{ id, startedAt: s.dice.pick([s.model.tables.sweeps.get(id)!.startedAt, s.at]) }, organization, 10]
    },
    false,
  ),
  op('free-figures', 'recordMoved', (s) => {
    const moved = s.dice.pick([null, 'processes', 'totalRisk'])
    return [
      night,
      organization,
      some(s, monitored).map((document) => ({ document, moved, analysis: idOf(s, document) })),
    ]
  }),
  op('free-figures', 'countMoved', (s) => [anySweep(s)]),
  op('sweep-organizations', 'addOrganizations', (s) => [night, s.dice.pick([[7001], [7001, 7002]])]),
  op('sweep-organizations', 'listOrganizations', (s) => [anySweep(s)], false),
  op('sweep-organizations', 'lockOrganization', (s) => [anySweep(s), organization]),
  op('sweep-organizations', 'recordList', (s) => {
    const list = { is: s.dice.pick(['applied', 'failed', 'suspicious']), message, triedAt: s.at }
    return [anySweep(s), 7001, list]
  }),
  op('sweep-organizations', 'cancelUnasked', (s) => [s.at]),
  op('sweep-organizations', 'finishSweepBatches', (s) => [s.at]),
  op('sweeps', 'finishSweep', (s) => {
    const end = { state: s.dice.pick(['done', 'failed']), due: 3, verified: 2, changed: 1, detail: {}, now: s.at }
    return s.dice.chance(0.3) ? [anySweep(s), end] : null
  }),
  op('sweeps', 'failSweep', (s) => (s.dice.chance(0.1) ? [anySweep(s), { why: message, now: s.at }] : null)),
  op('sweeps', 'countFailure', (s) => [anySweep(s)]),
  op('sweeps', 'forgetFailures', (s) => [anySweep(s)]),
  op('sweeps', 'readSweep', (s) => [anySweep(s)]),
  op('sweeps', 'runningSweeps', () => []),
  op('sweeps', 'hasSlot', (s) => ['radars', s.dice.pick(['night 1', 'night 9'])]),
  op('sweeps', 'registerSchedule', (s) => {
    const expression = s.dice.pick(['0 2 * * *', '0 3 * * *'])
    return [{ name: 'radars', expression, since: s.dice.pick(['2026-11-01T00:00', '2026-11-02T00:00']) }]
  }),
  op('sweeps', 'coverageOf', (s) => [anySweep(s)]),
  op('rules-met', 'insertChanges', (s) => {
    const figures = (processes: number) => ({ processes, counts: null, cents: null })
    const changes = some(s, monitored).flatMap((document) =>
      riskChanges(figures(0), figures(s.dice.below(3))).map((change) => ({
        ...change,
        organizationId: organization,
        document,
      })),
    )
    return [anySweep(s), changes, s.at]
  }),
]

/** A sweep from its list to its report. */
export const nightCourses: readonly (readonly string[])[] = [
  ['compareSize', 'applyRadarList', 'planSnapshots', 'recordList', 'documentsToAsk', 'recordAsked', 'sweepProgress'],
  ['recordAsked', 'claimLookups', 'writeSteps', 'writeSteps', 'writeSteps', 'sweepProgress', 'documentsToAsk'],
  ['writeSteps', 'writeSteps', 'recordTotals', 'uncomparedDocuments', 'recordMoved', 'countMoved'],
  ['recordAsked', 'writeSteps', 'writeSteps', 'takeSnapshots', 'streamDifferences', 'insertChanges', 'coverageOf'],
  ['writeSteps', 'takeSnapshots', 'streamDifferences', 'finishSweep', 'cancelUnasked', 'finishSweepBatches'],
  ['applyRadarList', 'keepSuspicious', 'applyRadarList', 'planSnapshots', 'coverageOf', 'takeSnapshots'],
]
