import { z } from 'zod'
import { batchSources } from '../domain/batch.ts'
import { holdEnds, needsPerson } from '../domain/hold-ends.ts'
import type { Kind } from '../domain/kind.ts'
import { type FormatMessage, inText } from '../messages/message.ts'
import { batchesAwaitingLedger, batchesWithWork, type StoppedBatch, stoppedBatches } from '../store/batches/standing.ts'
import type { Sql } from '../store/connect.ts'
import { type Hold, heldLanes } from '../store/fleet/lanes.ts'
import { countLiveWorkers } from '../store/fleet/workers.ts'
import { cause, iso, kind, masked, moment, shownMessage, shownText } from './fields.ts'

const todos = Object.values(holdEnds).map(({ todo }) => todo)

/** One incident: codes and facts, which the command line and the page format as text. */
export const incident = z.object({
  what: z.enum(['lanes_held', 'no_worker', 'books_awaited']),
  cause: cause.nullable(),
  detail: masked.nullable().describe('the message of the registry, or the reason that the operator gave'),
  lanes: z.array(z.object({ lane: z.string(), organization: z.int(), kind })),
  since: moment.nullable(),
  nextTry: moment.nullable().describe('when one call tests whether the cause is gone'),
  tries: z.int(),
  stops: z.enum(['asking', 'everything']).describe('asking: what was paid for is still fetched'),
  todo: z.enum([...todos, 'start_worker']).describe('what a person can do; nothing: nobody can make it resume sooner'),
  mustAct: z.boolean().describe('waiting is not enough: a person must act'),
  goesOnAlone: z.boolean().describe('resumes by itself: at the next try after the cause is gone'),
  batches: z
    .array(
      z.object({
        batch: z.int(),
        name: masked,
        kind,
        source: z.enum(batchSources),
        open: z.int().nullable().describe('null for a sweep, which has no rows'),
      }),
    )
    .describe('the batches that it stops, oldest first'),
})
export type Incident = z.output<typeof incident>

/** Every current incident, oldest first: for the first screen of the command line and of the page, and the API. */
export const readIncidents = async (sql: Sql, formatMessage: FormatMessage = inText): Promise<Incident[]> => {
  const [holds, stopped, workers] = await Promise.all([heldLanes(sql), stoppedBatches(sql), countLiveWorkers(sql)])
  // One cause may hold many lanes: an expired token holds all of them.
  const groups = Map.groupBy(holds, (hold) => `${hold.cause} ${JSON.stringify(hold.message)}`)
  const held = [...groups.values()].map((group) => lanesHeld(group, stopped, formatMessage))
  const known = [...(await ledgerAwaited(sql)), ...held]
  return workers > 0 ? known : [...(await nobodyWorks(sql)), ...known]
}

const lanesHeld = (
  holds: readonly Hold[],
  stopped: readonly StoppedBatch[],
  formatMessage: FormatMessage,
): Incident => {
  const { cause: why, message, heldAt, stops } = holds[0]!
  const { todo, mustAct, tried } = holdEnds[why]
  const lanes = new Set(holds.map(laneId))
  const tries = holds.flatMap(({ trialAt }) => (trialAt ? [trialAt.getTime()] : []))
  return {
    what: 'lanes_held',
    cause: why,
    detail: shownMessage(message, formatMessage),
    lanes: holds.map(laneOf),
    since: iso(heldAt),
    nextTry: tries.length > 0 ? new Date(Math.min(...tries)).toISOString() : null,
    tries: Math.max(...holds.map(({ trials }) => trials)),
    stops,
    todo,
    mustAct,
    goesOnAlone: tried !== 'never',
    batches: stopped.filter((batch) => lanes.has(laneId(batch))).map(shownBatch),
  }
}

/** An incident that holds no lane, and ends by itself or with one action. */
const ofBatches = { cause: null, detail: null, since: null, nextTry: null, tries: 0 }

/** The database may have lost recent purchases: nothing is bought until the registry's list has been read again. */
const ledgerAwaited = async (sql: Sql): Promise<Incident[]> => {
  const waiting = await batchesAwaitingLedger(sql)
  if (waiting.length === 0) return []
  const { listReadAfter } = waiting[0]!
  const lanes = new Map(waiting.map((batch) => [laneId(batch), laneOf(batch)]))
  return [
    {
      ...ofBatches,
      what: 'books_awaited',
      lanes: [...lanes.values()],
      nextTry: listReadAfter > new Date() ? listReadAfter.toISOString() : null,
      stops: 'asking',
      todo: 'nothing',
      mustAct: false,
      goesOnAlone: true,
      batches: waiting.map(shownBatch),
    },
  ]
}

const nobodyWorks = async (sql: Sql): Promise<Incident[]> => {
  const batches = (await batchesWithWork(sql)).map(shownBatch)
  if (batches.length === 0) return []
  const how = { stops: 'everything', todo: 'start_worker', mustAct: true, goesOnAlone: false } as const
  return [{ ...ofBatches, what: 'no_worker', lanes: [], ...how, batches }]
}

const laneOf = (held: { organizationId: bigint; kind: Kind }): Incident['lanes'][number] => ({
  lane: laneId(held),
  organization: Number(held.organizationId),
  kind: held.kind,
})

const shownBatch = ({ id, name, source, documents, ended, ...batch }: StoppedBatch): Incident['batches'][number] => ({
  batch: Number(id),
  name: shownText(name),
  kind: batch.kind,
  source,
  open: source === 'sweep' ? null : documents - ended,
})

/** A hold of a lane, in the list of lanes and on a batch that it stops. */
export const hold = z.object({
  lane: z.string(),
  cause,
  detail: masked.nullable(),
  since: moment,
  nextTry: moment.nullable(),
  tries: z.int(),
  needsPerson: z.boolean().describe('it does not end by itself within minutes'),
})
export type HoldShown = z.output<typeof hold>

export const toHoldView = (held: Hold): HoldShown => ({
  lane: laneId(held),
  cause: held.cause,
  detail: shownMessage(held.message),
  since: iso(held.heldAt),
  nextTry: iso(held.trialAt),
  tries: held.trials,
  needsPerson: needsPerson(held.cause),
})

export const readHolds = async (sql: Sql): Promise<HoldShown[]> => (await heldLanes(sql)).map(toHoldView)

/** The response to a person who held or resumed a lane. */
export const laneHeld = z.object({ lane: z.string(), held: z.boolean(), reason: z.string().optional() })

/** `7001/analysis` */
export const laneId = ({ organizationId, kind }: { organizationId: number | bigint; kind: Kind }): string =>
  `${organizationId}/${kind}`

/** The parts of `7001/analysis`, as a person wrote them. */
export const splitLane = (text: string) => {
  const [organization, kind] = text.split('/')
  return { organization, kind }
}
