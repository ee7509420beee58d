import { localDay } from '../domain/calendar.ts'
import { maskDocument } from '../domain/document.ts'
import { riskChanges } from '../domain/risk-change.ts'
import { type Coverage, coverageSentence } from '../domain/sweep.ts'
import type { Database, Sql } from '../store/connect.ts'
import { insertChanges } from '../store/radars/changes.ts'
import { streamDifferences, takeSnapshots } from '../store/radars/snapshots.ts'
import { cancelUnasked, finishSweepBatches, listOrganizations } from '../store/radars/sweep-organizations.ts'
import { coverageOf, finishSweep, type Sweep } from '../store/radars/sweeps.ts'
import { type ChangeLine, listChanges } from '../views/change.ts'
import { writeChangesFile } from './changes-file.ts'
import { judgeChanges } from './judge-changes.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import { tellPeople } from './tell-people.ts'

/**
 * Ends a radar sweep: snapshots, what changed since the last ones, the file of changes, the account of its coverage.
 *
 * Each part may be done again over the same rows and comes out the same, so a worker that dies in between loses
 * nothing and tells nobody twice: the webhook leaves with the row that ends the sweep.
 */
export const finishRadarSweep = async (tools: MonitoringTools, sweep: Sweep): Promise<void> => {
  const { sql, clock, settings, home, log } = tools
  await sql.begin(async (tx) => {
    await takeSnapshots(tx, sweep.id, clock())
    await findChanges(tx, sweep.id, clock())
    await judgeChanges(tx, settings.rules, sweep.id)
  })
  const day = localDay(sweep.startedAt, settings.timezone)
  const file = await writeChangesFile(sql, { folder: home.outbox, day, timezone: settings.timezone })
  const coverage = await coverageOf(sql, sweep.id)
  const detail = { ...(await detailOf(sql, sweep, coverage)), file }
  const ended = await sql.begin(async (tx) => {
    const end = { state: 'done' as const, ...coverage, detail, now: clock() }
    if (!(await finishSweep(tx, sweep.id, end))) return false
    const body = await alertOf(tx, sweep, coverage, detail)
    await tellPeople(tools, { key: `sweep.finished ${sweep.id}`, about: 'sweep.finished', severity: 'info', body }, tx)
    return true
  })
  await closeSweepBatches(sql, clock())
  if (ended) log.info({ sweep: String(sweep.id), ...coverage, file }, coverageSentence(coverage))
}

const findChanges = async (tx: Sql, sweepId: bigint, now: Date): Promise<void> => {
  for await (const differences of streamDifferences(tx, sweepId)) {
    const changes = differences.flatMap(({ organizationId, document, before, after }) =>
      riskChanges(before, after).map((change) => ({ ...change, organizationId, document })),
    )
    await insertChanges(tx, sweepId, changes, now)
  }
}

const detailOf = async (sql: Sql, sweep: Sweep, coverage: Coverage) => {
  const organizations = await listOrganizations(sql, sweep.id)
  return {
    unverified: coverage.unverified,
    organizations: organizations.map(({ organizationId, list, reason }) => ({
      organizationId: Number(organizationId),
      list,
      reason,
    })),
  }
}

/** The worst of what changed, with documents masked: the receiver asks Vigia for more. */
const alertOf = async (sql: Sql, sweep: Sweep, coverage: Coverage, detail: object) => {
  const worst = await listChanges(sql, { sweepId: sweep.id, limit: 50 })
  return {
    sweep: { id: Number(sweep.id), name: sweep.name, slot: sweep.slot },
    ...coverage,
    says: coverageSentence(coverage),
    ...detail,
    worst: worst.map(maskedChange),
  }
}

const maskedChange = ({ organizationId, document, field, verdict, before, after }: ChangeLine) => ({
  organizationId: Number(organizationId),
  document: maskDocument(document),
  field,
  verdict,
  ...(field === 'name' ? {} : { before, after }),
})

/**
 * Closes the batches of sweeps that are over: what nobody waits for is not asked any more. What was paid for is still
 * fetched, and its batch closed by a later call.
 */
export const closeSweepBatches = (sql: Database, now: Date): Promise<number> =>
  sql.begin(async (tx) => {
    await cancelUnasked(tx, now)
    return finishSweepBatches(tx, now)
  })
