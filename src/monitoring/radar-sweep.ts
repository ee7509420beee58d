import type { Account } from '../domain/lookup.ts'
import { followsFigures } from '../domain/sweep.ts'
import type { Message } from '../messages/message.ts'
import { planSnapshots, sweepProgress } from '../store/radars/snapshots.ts'
import {
  addOrganizations,
  listOrganizations,
  recordList,
  type SweepOrganization,
} from '../store/radars/sweep-organizations.ts'
import { failSweep, readSweep, type Sweep } from '../store/radars/sweeps.ts'
import { finishRadarSweep } from './finish-radar-sweep.ts'
import { mirrorRadars } from './mirror-radars.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import { readTotals } from './read-totals.ts'
import { followMoved, refreshRadars, retryRadars } from './refresh-radars.ts'
import { tryStep } from './sweep.ts'

/** How long a radar sweep waits, in milliseconds. */
export type SweepTimeouts = {
  /** Between two checks whether everything is answered. */
  look: number
  /** Before unanswered look-ups are asked once more. */
  retry: number
  mostTries: number
  /** How long a list that cannot be read is read again. */
  list: number
  /** From the start to the report, even if answers are missing: people read it in the morning. */
  window: number
}

export const nightTimeouts: SweepTimeouts = {
  look: 2_000,
  retry: 15 * 60_000,
  mostTries: 4,
  list: 60 * 60_000,
  window: 5 * 60 * 60_000,
}

/** How one step of a radar sweep runs. */
type StepOptions = { timeouts?: SweepTimeouts; signal?: AbortSignal }

/**
 * Advances a radar sweep as far as possible. Returns the milliseconds until the next step, or null when it is over.
 * A sweep that fails three times in a row is over too.
 */
export const takeRadarSweepFurther = (
  tools: MonitoringTools,
  sweepId: bigint,
  options: StepOptions = {},
): Promise<number | null> =>
  tryStep(tools, sweepId, () => takeStep(tools, sweepId, options), {
    giveUp: (why) => failSweep(tools.sql, sweepId, { why, now: tools.clock() }),
    signal: options.signal,
  })

/**
 * The state of a sweep is in its rows, so any worker can continue where another was killed: it reads the missing lists,
 * asks about the missing documents, and reports once everything is answered or the time window is over. An organization
 * that was removed from the settings cannot be asked about, so the sweep does not wait for it.
 */
const takeStep = async (
  tools: MonitoringTools,
  sweepId: bigint,
  { timeouts = nightTimeouts, signal }: StepOptions,
): Promise<number | null> => {
  const sweep = await readSweep(tools.sql, sweepId)
  if (sweep?.state !== 'running') return null
  await addOrganizations(
    tools.sql,
    sweepId,
    tools.accounts.map(({ organizationId }) => organizationId),
  )
  await leaveOutGone(tools, sweep)
  const unread = await readLists(tools, sweep, timeouts, signal)
  const organizations = (await listOrganizations(tools.sql, sweepId)).filter((each) => accountOf(tools, each))
  for (const { organizationId } of organizations) {
    await refreshRadars({ tools, sweep, organizationId })
    await followMoved({ tools, sweep, organizationId })
  }
  const wait = unread > 0 ? timeouts.look : await waitForAnswers(tools, sweep, organizations, timeouts)
  const over = tools.clock().getTime() - sweep.startedAt.getTime() >= timeouts.window
  if (wait !== null && !over) return wait
  await finishRadarSweep(tools, sweep)
  return null
}

/** The known radars of an organization that was removed from the settings are due, but cannot be verified. */
const leaveOutGone = async (tools: MonitoringTools, sweep: Sweep): Promise<void> => {
  for (const organization of await listOrganizations(tools.sql, sweep.id)) {
    if (organization.list !== 'pending' || accountOf(tools, organization)) continue
    const organizationId = Number(organization.organizationId)
    const message: Message = ['organization_gone', organizationId]
    await tools.sql.begin(async (tx) => {
      await planSnapshots(tx, sweep.id, organizationId)
      await recordList(tx, sweep.id, organizationId, { is: 'failed', message, triedAt: tools.clock() })
    })
    tools.log.warn({ sweep: String(sweep.id), organization: organizationId }, 'organization not in the settings')
  }
}

/** Reads the list of radars, and then the free totals of the list of analyses. Returns how many lists are still unread. */
const readLists = async (
  tools: MonitoringTools,
  sweep: Sweep,
  timeouts: SweepTimeouts,
  signal: AbortSignal | undefined,
): Promise<number> => {
  const organizations = await listOrganizations(tools.sql, sweep.id)
  let unread = 0
  for (const organization of organizations) {
    const account = accountOf(tools, organization)
    if (!account) continue
    const now = tools.clock().getTime()
    const isTooSoon = now - (organization.triedAt?.getTime() ?? 0) < timeouts.look
    const lastTry = now - sweep.startedAt.getTime() >= timeouts.list
    const options = { lastTry, signal }
    let { list, totals } = organization
    if (list === 'pending' && !isTooSoon) list = await mirrorRadars(tools, sweep, account, options)
    if (list !== 'pending' && totals === 'pending') totals = await readTotals(tools, sweep, account, options)
    if (list === 'pending' || totals === 'pending') unread++
  }
  return unread
}

const accountOf = ({ accounts }: MonitoringTools, { organizationId }: SweepOrganization): Account | undefined =>
  accounts.find((account) => BigInt(account.organizationId) === organizationId)

/** Null if no more answers will come: all are there, or were asked for as often as allowed. */
const waitForAnswers = async (
  tools: MonitoringTools,
  sweep: Sweep,
  organizations: SweepOrganization[],
  { look, retry, mostTries }: SweepTimeouts,
): Promise<number | null> => {
  const ids = organizations.map(({ organizationId }) => organizationId)
  const { open, unanswered, lastEndedAt } = await sweepProgress(tools.sql, sweep.id, ids, {
    mostTries,
    compares: followsFigures(tools.settings.radarSweep),
  })
  if (open > 0) return look
  if (unanswered === 0) return null
  const now = tools.clock()
  const due = (lastEndedAt?.getTime() ?? 0) + retry
  if (now.getTime() < due) return Math.max(look, due - now.getTime())
  for (const { organizationId } of organizations) {
    await retryRadars({ tools, sweep, organizationId }, { mostTries, endedBefore: now })
  }
  return look
}
