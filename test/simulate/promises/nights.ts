import { classifications } from '../../../src/domain/classifications.ts'
import { figuresAt, type Radar, radarsAt } from '../registry/radars.ts'
import { Violation } from '../run/violation.ts'
import type { History, WatchContext } from '../run/witness.ts'
import type { ChangeRecord, RadarSnapshotRecord, SweepOrganizationRecord, SweepRecord } from '../store/tables.ts'

/** The only organization whose registry monitors anything. */
const monitored = 7001

/** One change, as text: what of whom, and from what to what. */
type Reported = `${string} ${string}: ${string} → ${string}`

/**
 * Sweeps say what is true: each change of a radar and of its figures once and in the sweep that saw it, no other, and of
 * each document whether it was verified. What was reported before is remembered here and not read from the store.
 */
export const checkNights = (history: History, { nameOf, excuse }: Pick<WatchContext, 'nameOf' | 'excuse'>): void => {
  const { plan, model, startedAt } = history
  if (!plan.radars) return
  if (isFirstListWrong(history)) {
    excuse('the first list of radars was cut short, and nothing was known before')
    return
  }
  const radars = plan.radars
  const sweeps = [...model.tables.sweeps.values()]
  /** What the last list may have been: where a radar changed while it was read, nothing says which came first. */
  let mirrored: Map<number, Radar>[] = [new Map()]
  const figures = new Map<string, string>()
  for (const sweep of sweeps) {
    const snapshots = [...model.tables.radarSnapshots.values()].filter(({ sweepId }) => sweepId === sweep.id)
    const organization = model.tables.sweepOrganizations.get(`${sweep.id}/${monitored}`)
    if (organization?.list === 'applied') mirrored = checkList(sweep, organization, snapshots, mirrored)
    const expected = new Set<Reported>()
    for (const snapshot of snapshots) for (const reported of figuresReported(sweep, snapshot)) expected.add(reported)
    compare(sweep, 'figures', expected, (field) => !isOfList(field))
    if (sweep.state === 'done') checkCoverage(history, sweep, snapshots, mirrored[0]!)
  }

  /** The list of one moment says what is due, and what changed since the last one. Before the first nothing was known. */
  function checkList(
    sweep: SweepRecord,
    { triedAt }: SweepOrganizationRecord,
    snapshots: RadarSnapshotRecord[],
    before: Map<number, Radar>[],
  ): Map<number, Radar>[] {
    const due = new Set(snapshots.map(({ document }) => nameOf(document)))
    const found = momentsIn(sweep.startedAt, triedAt!).map((at) => radarsAt(radars, at))
    const fitting = found.filter(
      (after) =>
        isSame(due, activeOf(after)) &&
        before.some((known) => isSame(listReported(known, after), reportedBy(sweep, isOfList))),
    )
    if (fitting.length > 0) return fitting
    compare(sweep, 'radars', listReported(before[0]!, found.at(-1)!), isOfList)
    return broken(`sweep ${sweep.id} checked ${[...due]}; ${activeOf(found.at(-1)!)} are monitored`)
  }

  /** Moments of a history in milliseconds, between which nothing changes. */
  function momentsIn(from: Date, to: Date): number[] {
    const [first, last] = [from.getTime() - startedAt, to.getTime() - startedAt + clockMarginMs]
    return [first, ...radars.events.map(({ at }) => at).filter((at) => at > first && at <= last)]
  }

  function figuresReported(sweep: SweepRecord, snapshot: RadarSnapshotRecord): Reported[] {
    const { document, processes, counts, cents } = snapshot
    checkTruth(sweep, snapshot)
    const amounts = cents?.map((figure) => (figure === null ? null : (Number(figure) / 100).toFixed(2)))
    return [
      ...reported(document, 'processes', processes),
      ...classifications.flatMap((key, i) => [
        ...reported(document, `${key}_count`, counts?.[i] ?? null),
        ...reported(document, `${key}_value`, amounts?.[i] ?? null),
      ]),
    ]
  }

  function reported(document: string, field: string, figure: number | string | null): Reported[] {
    if (figure === null) return []
    const before = figures.get(`${document} ${field}`)
    figures.set(`${document} ${field}`, String(figure))
    if (before === undefined || before === String(figure)) return []
    return [`${nameOf(document)} ${field}: ${before} → ${figure}`]
  }

  /** The figures of a snapshot were those of the registry during the sweep, or when its analysis was made. */
  function checkTruth(
    sweep: SweepRecord,
    { document, processes, counts, analysisLookupId }: RadarSnapshotRecord,
  ): void {
    const number = Number(nameOf(document))
    const end = sweep.finishedAt ?? new Date(history.schedule.now)
    const possible = momentsIn(sweep.startedAt, end).map((at) => figuresAt(radars, number, at).processes)
    if (processes !== null && !possible.includes(processes))
      broken(`sweep ${sweep.id} gives document ${number} ${processes} processes; it had ${possible.join(' or ')}`)
    const remoteId = analysisLookupId === null ? null : model.tables.lookups.get(analysisLookupId)?.remoteId
    const bought = history.registry.purchases.find(({ id }) => String(id) === remoteId)
    if (counts === null || !bought) return
    const { count } = figuresAt(radars, number, bought.at - startedAt)
    const given = counts[classifications.indexOf('RISK_WORKER')]
    if (given !== count)
      broken(`sweep ${sweep.id} gives document ${number} ${given} lawsuits of workers; its analysis has ${count}`)
  }

  function reportedBy({ id }: SweepRecord, isMeant: (field: string) => boolean): string[] {
    const all = [...model.tables.changes.values()].filter((c) => c.sweepId === id && isMeant(c.field))
    return all.map((change) => textOf(change, nameOf))
  }

  function compare(
    sweep: SweepRecord,
    what: string,
    expected: Set<Reported>,
    isMeant: (field: string) => boolean,
  ): void {
    const found = reportedBy(sweep, isMeant)
    if (isSame(expected, found)) return
    const missing = [...expected].filter((each) => !found.includes(each))
    const extra = found.filter((each) => !expected.has(each as Reported))
    broken(`sweep ${sweep.id}, ${what}: did not report [${missing.join('; ')}], reported falsely [${extra.join('; ')}]`)
  }
}

/** There is nothing that a first list could be compared with. */
const isFirstListWrong = ({ model, registry, plan }: History): boolean => {
  const first = [...model.tables.sweepOrganizations.values()].find(
    ({ organizationId, list }) => organizationId === BigInt(monitored) && list === 'applied',
  )
  const at = (first?.triedAt?.getTime() ?? 0) + clockMarginMs
  return registry.wrongListsAt.some((moment) => moment < at && at - moment < plan.settings.requestTimeoutMs)
}

/** A worker's clock differs so much from that of the history. */
const clockMarginMs = 100

const isOfList = (field: string): boolean => field === 'radar' || field === 'name'

const activeOf = (radars: Map<number, Radar>): string[] =>
  [...radars.values()].filter(({ active }) => active).map(({ number }) => String(number))

const broken = (what: string): never => {
  throw new Violation('sweeps', what)
}

const isSame = (one: ReadonlySet<string>, other: readonly string[]): boolean =>
  one.size === other.length && other.every((each) => one.has(each))

const textOf = (
  { document, field, verdict, before, after }: ChangeRecord,
  nameOf: (document: string) => string,
): Reported =>
  field === 'radar'
    ? `${nameOf(document)} radar: ${verdict} → ${verdict}`
    : `${nameOf(document)} ${field}: ${before ?? ''} → ${after ?? ''}`

/** Nothing where nothing was known before: the first list is no change. */
const listReported = (before: Map<number, Radar>, after: Map<number, Radar>): Set<Reported> => {
  const found = new Set<Reported>()
  if (before.size === 0) return found
  for (const number of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(number), after.get(number)]
    const report = (verdict: string): unknown => found.add(`${number} radar: ${verdict} → ${verdict}`)
    if (!one) report('added')
    else if (!other) report('removed')
    else {
      if (one.active !== other.active) report(other.active ? 'reactivated' : 'deactivated')
      if (one.name !== other.name) found.add(`${number} name: ${one.name} → ${other.name}`)
    }
  }
  return found
}

/** Coverage adds up, everything monitored was due, and one notification says so. */
const checkCoverage = (
  { model, plan }: History,
  { id, due, verified, detail }: SweepRecord,
  snapshots: RadarSnapshotRecord[],
  mirrored: Map<number, Radar>,
): void => {
  const unverified = Object.values((detail.unverified ?? {}) as Record<string, number>).reduce((sum, n) => sum + n, 0)
  if (due !== verified + unverified) broken(`sweep ${id} verified ${verified} of ${due}, and ${unverified} not`)
  const active = activeOf(mirrored).length
  if (due !== active) broken(`sweep ${id} checked ${due} documents; ${active} are monitored`)
  const answered = snapshots.filter(({ processes, counts, tries, analysisLookupId }) => {
    const hasProcesses = plan.radars!.refresh === 'none' || processes !== null
    return tries > 0 && hasProcesses && (analysisLookupId === null || counts !== null)
  })
  if (answered.length !== verified)
    broken(`sweep ${id} verified ${verified} documents; ${answered.length} are answered`)
  const notified = [...model.tables.alerts.values()].filter(
    ({ about, body }) => about === 'sweep.finished' && (body.sweep as { id: number }).id === Number(id),
  )
  if (notified.length !== 1) broken(`people were notified of sweep ${id} ${notified.length} times`)
  if (notified[0]!.body.verified !== verified || notified[0]!.body.due !== due)
    broken(`the notification of sweep ${id} has other figures`)
}
