import { localMinute } from '../domain/calendar.ts'
import type { HoldCause } from '../domain/call-failure.ts'
import { holdEnds } from '../domain/hold-ends.ts'
import { maskDocuments, maskTexts } from '../domain/mask-documents.ts'
import type { Severity } from '../domain/rule.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import { listWaiting } from '../store/batches/batch-actions.ts'
import { listRejectedUnnotified } from '../store/batches/uploads.ts'
import { type Hold, heldLanes } from '../store/fleet/lanes.ts'
import { listUnanswered } from '../store/people/messages.ts'
import { troubledSweeps } from '../store/radars/sweeps.ts'
import { laneId } from '../views/incident.ts'
import type { MonitoringTools } from './monitoring-tools.ts'
import { notifyBatchWaits, notifyPeople } from './notify-people.ts'

/** Holds that nobody can act on often pass within a minute. Notifying each of them would be noise. */
const passingMs = 60_000
const lateMinutes = 30
/** Who submits a file usually approves it at once. */
const approvalMs = 120_000
const day = 86_400_000

type Tools = Pick<MonitoringTools, 'sql' | 'boss' | 'clock' | 'log' | 'settings'>

/**
 * Notifies of lanes that are held or resumed, of missed sweeps, rejected files of the inbox, and of batches that need
 * approval.
 *
 * It reads the tables, so if a worker dies before it notifies, the next pass does. The key of each event makes sure
 * that only one of many workers notifies.
 */
export const notifyIncidents = async (tools: Tools): Promise<void> => {
  const held = await heldLanes(tools.sql)
  await notifyLanesHeld(tools, held)
  await notifyLanesFree(tools, held)
  await notifySweeps(tools)
  await notifyRejectedFiles(tools)
  const readBefore = new Date(tools.clock().getTime() - approvalMs)
  for (const batch of await listWaiting(tools.sql, readBefore)) await notifyBatchWaits(tools, batch)
}

const notifyLanesHeld = async (tools: Tools, held: Hold[]): Promise<void> => {
  const now = tools.clock().getTime()
  const lasting = held.filter(
    ({ cause, heldAt }) => holdEnds[cause].todo !== 'nothing' || now - heldAt.getTime() >= passingMs,
  )
  // A cause that holds every lane holds them at the same moment, so it is one event.
  const events = Map.groupBy(
    lasting,
    (hold) => `${holdEnds[hold.cause].holds === 'every_lane' ? hold.cause : laneId(hold)} ${hold.heldAt.toISOString()}`,
  )
  for (const [event, holds] of events) {
    const { organizationId, kind, cause, message, heldAt } = holds[0]!
    const body = {
      organization: Number(organizationId),
      kind,
      cause,
      ...maskedReason(message),
      lanes: holds.map(laneId),
      heldAt: heldAt.toISOString(),
    }
    await notifyPeople(tools, { key: `lane held ${event}`, about: 'lane held', severity: severityOf(cause), body })
  }
}

/** A lane that an operator holds is no surprise to operators. */
const severityOf = (cause: HoldCause): Severity => {
  if (cause === 'operator') return 'info'
  return holdEnds[cause].mustAct ? 'critical' : 'warning'
}

/** Everyone who was notified that lanes are held is notified once none of them is held any more. */
const notifyLanesFree = async (tools: Tools, held: Hold[]): Promise<void> => {
  const still = new Set(held.map((hold) => `${laneId(hold)} ${hold.heldAt.toISOString()}`))
  const since = new Date(tools.clock().getTime() - 30 * day)
  for (const { key, severity, body } of await listUnanswered(tools.sql, 'lane held', 'lane free', since)) {
    const { lanes, heldAt } = body as { lanes: string[]; heldAt: string }
    if (lanes.some((lane) => still.has(`${lane} ${heldAt}`))) continue
    await notifyPeople(tools, { key: key.replace('lane held', 'lane free'), about: 'lane free', severity, body })
  }
}

/** Late or failed sweeps. That no worker runs at all can only be noticed from outside. */
const notifySweeps = async (tools: Tools): Promise<void> => {
  const since = new Date(tools.clock().getTime() - day)
  for (const { id, name, slot, state, startedAt, detail } of await troubledSweeps(tools.sql, since)) {
    const body = { sweep: Number(id), name, slot, ...maskedReason(detail.said) }
    if (state === 'failed')
      await notifyPeople(tools, { key: `sweep.failed ${id}`, about: 'sweep.failed', severity: 'critical', body })
    if (name === 'radars' && minutesLate(slot, localMinute(startedAt, tools.settings.timezone)) >= lateMinutes)
      await notifyPeople(tools, { key: `sweep.missed ${id}`, about: 'sweep.missed', severity: 'warning', body })
  }
}

/** A name or a header may contain a document. */
const notifyRejectedFiles = async (tools: Tools): Promise<void> => {
  const since = new Date(tools.clock().getTime() - day)
  for (const { id, organizationId, kind, fileName, problem, kept } of await listRejectedUnnotified(tools.sql, since)) {
    const file = { upload: Number(id), organization: Number(organizationId), kind, name: maskDocuments(fileName), kept }
    const body = { ...file, said: maskTexts(problem) }
    await notifyPeople(tools, { key: `file.rejected ${id}`, about: 'file.rejected', severity: 'warning', body })
  }
}

/** The reason without a full document, which the registry's own text may contain: as text for webhooks, and as message. */
const maskedReason = (message: Message | null | undefined) => ({
  reason: message ? maskDocuments(inEnglish(message)) : '',
  said: maskTexts(message ?? null),
})

/** From two local times. A sweep that a person started has no slot, so it is never late. */
const minutesLate = (slot: string, began: string): number => {
  const late = (Date.parse(`${began}:00Z`) - Date.parse(`${slot}:00Z`)) / 60_000
  return Number.isNaN(late) ? 0 : late
}
