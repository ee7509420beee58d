import { classifications } from '../../../src/domain/classifications.ts'
import type { Transaction } from '../../../src/store/connect.ts'
import type { Dice } from '../plan/dice.ts'
import type { ModelDatabase } from '../store/database.ts'
import type { LookupRecord, RadarSnapshotRecord } from '../store/tables.ts'

/** Two sweeps that ended, and one that runs. */
export const sweepIds = [1_000_011n, 1_000_012n, 1_000_013n]
/** The batches of the second sweep and of the one that runs. */
export const sweepBatches = [
  { id: 1_000_004n, sweepId: sweepIds[1]! },
  { id: 1_000_005n, sweepId: sweepIds[2]! },
] as const
export const monitored = ['10000000019', '10000000108', '10000000280', '10000000361']

const organizationId = 7001
const hourMs = 3_600_000

/** A figure of each classification: mostly the same ones, so that a few differ. */
export const drawFigures = (dice: Dice): (number | null)[] =>
  classifications.map((_, i) => (dice.chance(0.05) ? null : i % 3 === 0 ? dice.pick([0, 0, 0, 1]) : 1))

/** Some nights of radars: a mirror of their list, sweeps, and snapshots, the last of which nobody has taken yet. */
export const setNights = async (tx: Transaction, model: ModelDatabase, dice: Dice, at: Date): Promise<void> => {
  await setSweeps(tx, model, at)
  await setRadars(tx, model, dice, at)
  const lookups = [...model.tables.lookups.values()]
  const snapshots = sweepIds.flatMap((sweepId, night) =>
    monitored.flatMap((document) =>
      dice.chance(0.8) ? [drawSnapshot(dice, sweepId, night === 2, document, lookups, at)] : [],
    ),
  )
  for (const s of snapshots) model.tables.radarSnapshots.set(`${s.sweepId}/${organizationId}/${s.document}`, s)
  await tx`
    insert into vigia.snapshot (sweep_id, organization_id, document, tries, processes_lookup_id, analysis_lookup_id,
                                processes, counts, cents, total_risk, total_analyzed, moved, verified_at, message)
    select s."sweepId", ${organizationId}, s.document, s.tries, s."processesLookupId", s."analysisLookupId", s.processes,
           s.counts, s.cents, s."totalRisk", s."totalAnalyzed", s.moved, s."verifiedAt", s.message
      from json_to_recordset(${tx.json(snapshots.map(snapshotRow) as never)}::json) as s (
        "sweepId" bigint, document text, tries int, "processesLookupId" bigint, "analysisLookupId" bigint, processes int,
        counts int[], cents bigint[], "totalRisk" int, "totalAnalyzed" int, moved text, "verifiedAt" timestamptz, message jsonb)`
}

const setSweeps = async (tx: Transaction, model: ModelDatabase, at: Date): Promise<void> => {
  for (const [i, id] of sweepIds.entries()) {
    // Look-ups end between the first night and the second.
    const startedAt = new Date(at.getTime() + (i === 0 ? -hourMs : i * hourMs))
    const [state, finishedAt] = i < 2 ? (['done', startedAt] as const) : (['running', null] as const)
    const slot = `night ${i}`
    const result = { due: 0, verified: 0, changed: 0, detail: {}, failures: 0 }
    const sweep = { id, name: 'radars', slot, state, trigger: 'schedule', startedAt, finishedAt, ...result } as const
    model.tables.sweeps.set(id, sweep)
    const progress = { list: 'pending', message: null, triedAt: null, totals: 'pending' } as const
    const organization = { sweepId: id, organizationId: BigInt(organizationId), ...progress }
    model.tables.sweepOrganizations.set(`${id}/${organizationId}`, organization)
    await tx`insert into vigia.sweep (id, name, slot, state, trigger, started_at, finished_at)
             overriding system value values (${id}, 'radars', ${slot}, ${state}, 'schedule', ${startedAt}, ${finishedAt})`
    await tx`insert into vigia.sweep_organization (sweep_id, organization_id) values (${id}, ${organizationId})`
  }
}

const setRadars = async (tx: Transaction, model: ModelDatabase, dice: Dice, at: Date): Promise<void> => {
  for (const document of monitored) {
    if (dice.chance(0.2)) continue
    const radar = drawRadar(dice, document)
    const removedAt = dice.chance(0.2) ? at : null
    model.tables.radars.set(`${organizationId}/${document}`, { ...radar, organizationId, removedAt })
    await tx`insert into vigia.radar (organization_id, document, document_type, link_id, radar_id, name, active, seen_at, removed_at)
             values (${organizationId}, ${document}, 'CPF', '1', '2', ${radar.name}, ${radar.active}, ${at}, ${removedAt})`
  }
}

export const drawRadar = (dice: Dice, document: string) => ({
  document,
  documentType: 'CPF',
  linkId: '1',
  radarId: '2',
  name: dice.pick(['A', 'A', 'B']),
  active: dice.chance(0.8),
  customerType: null,
  addedAt: null,
  processedAt: null,
  listed: null,
})

const drawSnapshot = (
  dice: Dice,
  sweepId: bigint,
  runs: boolean,
  document: string,
  lookups: LookupRecord[],
  at: Date,
): RadarSnapshotRecord => {
  const lookup = dice.chance(0.8) ? (lookups.find(({ question }) => question === document)?.id ?? null) : null
  const isTaken = !runs && dice.chance(0.8)
  const counts = isTaken && dice.chance(0.8) ? drawFigures(dice) : null
  return {
    sweepId,
    organizationId,
    document,
    tries: lookup === null ? 0 : dice.between(1, 4),
    processesLookupId: dice.chance(0.5) ? lookup : null,
    analysisLookupId: lookup,
    processes: isTaken ? dice.pick([null, 0, 1]) : null,
    counts,
    cents: counts && drawFigures(dice).map((figure) => (figure === null ? null : BigInt(figure))),
    totalRisk: dice.pick([null, 1, 2]),
    totalAnalyzed: dice.pick([null, 1, 2]),
    moved: runs ? null : dice.pick([null, 'none', 'processes']),
    verifiedAt: isTaken ? at : null,
    message: isTaken || runs ? null : ['never_asked'],
  }
}

const snapshotRow = ({ organizationId: _, ...s }: RadarSnapshotRecord) => ({
  ...s,
  sweepId: `${s.sweepId}`,
  processesLookupId: s.processesLookupId && `${s.processesLookupId}`,
  analysisLookupId: s.analysisLookupId && `${s.analysisLookupId}`,
  cents: s.cents?.map((figure) => (figure === null ? null : Number(figure))) ?? null,
  verifiedAt: s.verifiedAt?.toISOString() ?? null,
})
