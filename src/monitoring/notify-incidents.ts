import { localMinute } from '../domain/calendar.ts'
import type { HoldCause } from '../domain/call-failure.ts'
import { holdEnds } from '../domain/hold-ends.ts'
import { maskDocuments, maskTexts } from '../domain/mask-documents.ts'
import type { Message } from '../domain/messages/message.ts'
import type { Severity } from '../domain/rule.ts'
import { listWaitingAnew } from '../store/batches/consent.ts'
import { type Hold, heldLanes } from '../store/fleet/lanes.ts'
import { listUnanswered } from '../store/people/messages.ts'
import { troubledSweeps } from '../store/radars/sweeps.ts'
import { laneId } from '../views/lane.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import { notifyBatchWaits } from './notify-batches.ts'
import { notifyPeople } from './notify-people.ts'

/** What nobody can do anything about often passes sooner: who is told of each is told too much. */
const passingMs = 60_000
const lateMinutes = 30
const day = 86_400_000

type Tools = Pick<MonitoringTools, 'sql' | 'boss' | 'clock' | 'log' | 'settings'>

/**
 * Tells of lanes that are held, of those that go on again, of sweeps that did not run, and of batches that ran and wait
 * for a word now.
 *
 * It goes by what the tables say, not by who noticed: a worker that dies with the news leaves it to the next look, and
 * the key of each event lets one of many workers tell it.
 */
export const notifyIncidents = async (tools: Tools): Promise<void> => {
  const held = await heldLanes(tools.sql)
  await notifyLanesHeld(tools, held)
  await notifyLanesFree(tools, held)
  await notifySweeps(tools)
  for (const batch of await listWaitingAnew(tools.sql)) await notifyBatchWaits(tools, batch)
}

const notifyLanesHeld = async (tools: Tools, held: Hold[]): Promise<void> => {
  const now = tools.clock().getTime()
  const lasting = held.filter(
    ({ cause, heldAt }) => holdEnds[cause].todo !== 'nothing' || now - heldAt.getTime() >= passingMs,
  )
  // What holds every lane holds them in the same moment: that is one piece of news.
  const events = Map.groupBy(
    lasting,
    (hold) => `${holdEnds[hold.cause].holds === 'every_lane' ? hold.cause : laneId(hold)} ${hold.heldAt.toISOString()}`,
  )
  for (const [event, holds] of events) {
    const { organizationId, kind, cause, message, detail, heldAt } = holds[0]!
    const body = {
      organization: Number(organizationId),
      kind,
      cause,
      ...maskReason({ reason: detail, said: message }),
      lanes: holds.map(laneId),
      heldAt: heldAt.toISOString(),
    }
    await notifyPeople(tools, { key: `lane held ${event}`, about: 'lane held', severity: severityOf(cause), body })
  }
}

/** What an operator holds, an operator knows of. */
const severityOf = (cause: HoldCause): Severity => {
  if (cause === 'operator') return 'info'
  return holdEnds[cause].mustAct ? 'critical' : 'warning'
}

/** Whoever was told that lanes are held is told when none of them is any more. */
const notifyLanesFree = async (tools: Tools, held: Hold[]): Promise<void> => {
  const still = new Set(held.map((hold) => `${laneId(hold)} ${hold.heldAt.toISOString()}`))
  const since = new Date(tools.clock().getTime() - 30 * day)
  for (const { key, severity, body } of await listUnanswered(tools.sql, 'lane held', 'lane free', since)) {
    const { lanes, heldAt } = body as { lanes: string[]; heldAt: string }
    if (lanes.some((lane) => still.has(`${lane} ${heldAt}`))) continue
    await notifyPeople(tools, { key: key.replace('lane held', 'lane free'), about: 'lane free', severity, body })
  }
}

/** A sweep that began long after its slot, or that was given up. That no worker runs at all, only the outside can tell. */
const notifySweeps = async (tools: Tools): Promise<void> => {
  const since = new Date(tools.clock().getTime() - day)
  for (const { id, name, slot, state, startedAt, detail } of await troubledSweeps(tools.sql, since)) {
    const body = { sweep: Number(id), name, slot, ...maskReason(detail) }
    if (state === 'failed')
      await notifyPeople(tools, { key: `sweep.failed ${id}`, about: 'sweep.failed', severity: 'critical', body })
    if (name === 'radars' && minutesLate(slot, localMinute(startedAt, tools.settings.timezone)) >= lateMinutes)
      await notifyPeople(tools, { key: `sweep.missed ${id}`, about: 'sweep.missed', severity: 'warning', body })
  }
}

/** Why, without a whole document: what was said may hold the registry's own words. An earlier version kept only words. */
const maskReason = ({ reason, said: message }: { reason?: string | null; said?: Message | null }) => ({
  reason: maskDocuments(reason ?? ''),
  said: maskTexts(message ?? null),
})

/** Of two moments on the wall clock; a sweep that a person began has no slot to be late for. */
const minutesLate = (slot: string, began: string): number => {
  const late = (Date.parse(`${began}:00Z`) - Date.parse(`${slot}:00Z`)) / 60_000
  return Number.isNaN(late) ? 0 : late
}
