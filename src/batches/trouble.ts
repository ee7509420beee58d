import type { BatchSource } from '../domain/batch.ts'
import type { HoldCause } from '../domain/call-failure.ts'
import type { Kind } from '../domain/kind.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import {
  batchesAwaitingBooks,
  batchesWithWork,
  countLiveWorkers,
  type StoppedBatch,
  stoppedBatches,
} from '../store/batches/standing.ts'
import type { Sql } from '../store/connect.ts'
import { type Hold, heldLanes } from '../store/fleet/lanes.ts'
import { nameOf } from './steer.ts'

/** What a person can do about it; `nothing`: it goes on alone, and nobody could make it go on sooner. */
type Todo =
  | 'nothing'
  | 'renew_token'
  | 'extend_plan'
  | 'restore_access'
  | 'raise_budget'
  | 'resume_lane'
  | 'start_worker'

/** One thing that is wrong now: codes and facts, from which whoever shows it makes words. */
export type Trouble = {
  what: 'lanes_held' | 'no_worker' | 'books_awaited'
  cause: HoldCause | null
  /** The registry's own words, or the operator's; documents are masked. */
  detail: string | null
  lanes: { lane: string; organization: number; kind: Kind }[]
  since: string | null
  /** When one call tries whether the cause is gone; null where nothing tries. */
  nextTry: string | null
  tries: number
  /** `asking`: what was paid for is still fetched. */
  stops: 'asking' | 'everything'
  todo: Todo
  /** It goes on by itself at the next try once the cause is gone, without a word to Vigia. */
  goesOnAlone: boolean
  /** The batches that stand still because of it, oldest first; `open` is null for a sweep, which has no rows. */
  batches: { batch: number; name: string; kind: Kind; source: BatchSource; open: number | null }[]
}

/** Everything that is wrong now, the longest first: for the first screen of the command line and of the page, and the API. */
export const readTrouble = async (sql: Sql): Promise<Trouble[]> => {
  const [holds, stopped, workers] = await Promise.all([heldLanes(sql), stoppedBatches(sql), countLiveWorkers(sql)])
  // One cause holds many lanes: a dead token all of them.
  const groups = Map.groupBy(holds, ({ cause, detail }) => `${cause} ${detail}`)
  const held = [...groups.values()].map((group) => lanesHeld(group, stopped))
  const known = [...(await booksAwaited(sql)), ...held]
  return workers > 0 ? known : [...(await nobodyWorks(sql)), ...known]
}

/** The batches that trouble stops; everywhere else they would read as running. */
export const heldBatches = (trouble: readonly Trouble[]): Set<number> =>
  new Set(trouble.flatMap(({ what, batches }) => (what === 'lanes_held' ? batches.map(({ batch }) => batch) : [])))

const lanesHeld = (holds: readonly Hold[], stopped: readonly StoppedBatch[]): Trouble => {
  const { cause, detail, heldAt } = holds[0]!
  const lanes = new Set(holds.map(nameOf))
  const tries = holds.flatMap(({ probeAt }) => (probeAt ? [probeAt.getTime()] : []))
  return {
    what: 'lanes_held',
    cause,
    detail: detail && maskDocuments(detail),
    lanes: holds.map((hold) => ({ lane: nameOf(hold), organization: Number(hold.organizationId), kind: hold.kind })),
    since: heldAt.toISOString(),
    nextTry: tries.length > 0 ? new Date(Math.min(...tries)).toISOString() : null,
    tries: Math.max(...holds.map(({ probes }) => probes)),
    stops: cause === 'plan' || cause === 'budget' ? 'asking' : 'everything',
    todo: todos[cause],
    goesOnAlone: cause !== 'operator',
    batches: stopped.filter((batch) => lanes.has(nameOf(batch))).map(shownBatch),
  }
}

const todos: Record<HoldCause, Todo> = {
  outage: 'nothing',
  token: 'renew_token',
  plan: 'extend_plan',
  denied: 'restore_access',
  budget: 'raise_budget',
  operator: 'resume_lane',
}

/** The database may have forgotten what was bought: nothing is, until the registry's list has been read anew. */
const booksAwaited = async (sql: Sql): Promise<Trouble[]> => {
  const waiting = await batchesAwaitingBooks(sql)
  if (waiting.length === 0) return []
  const lanes = new Map(waiting.map((batch) => [nameOf(batch), batch]))
  return [
    {
      what: 'books_awaited',
      cause: null,
      detail: null,
      lanes: [...lanes].map(([lane, { organizationId, kind }]) => ({
        lane,
        organization: Number(organizationId),
        kind,
      })),
      since: null,
      nextTry: waiting[0]!.booksSince > new Date() ? waiting[0]!.booksSince.toISOString() : null,
      tries: 0,
      stops: 'asking',
      todo: 'nothing',
      goesOnAlone: true,
      batches: waiting.map(shownBatch),
    },
  ]
}

const nobodyWorks = async (sql: Sql): Promise<Trouble[]> => {
  const waiting = await batchesWithWork(sql)
  if (waiting.length === 0) return []
  return [
    {
      what: 'no_worker',
      cause: null,
      detail: null,
      lanes: [],
      since: null,
      nextTry: null,
      tries: 0,
      stops: 'everything',
      todo: 'start_worker',
      goesOnAlone: false,
      batches: waiting.map(shownBatch),
    },
  ]
}

const shownBatch = ({ id, name, kind, source, rows, ended }: StoppedBatch): Trouble['batches'][number] => ({
  batch: Number(id),
  name: maskDocuments(name),
  kind,
  source,
  open: source === 'sweep' ? null : rows - ended,
})
