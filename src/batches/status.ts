import type { BatchState } from '../domain/batch.ts'
import type { HoldCause } from '../domain/call-failure.ts'
import { type Kind, spendingKinds } from '../domain/kind.ts'
import { answeredStates, type LookupState } from '../domain/lookup.ts'
import { maskDocuments } from '../domain/mask-documents.ts'
import type { Batch } from '../store/batches/batches.ts'
import { countsOf } from '../store/batches/counts.ts'
import { countLiveWorkers, isStopped, type LaneHold, readHold, stillMoves } from '../store/batches/standing.ts'
import type { Sql } from '../store/connect.ts'
import { callsOf, type UnsettledCalls } from '../store/lookups/lookups.ts'
import { type Pace, paceSince } from './progress.ts'
import { batchOrRefuse, nameOf } from './steer.ts'

/** What people see of a batch: pausing is a state to them. */
export const shownStates = [
  'importing',
  'unconfirmed',
  'running',
  'paused',
  'done',
  'cancelled',
  'rejected',
] as const satisfies readonly (BatchState | 'paused')[]
type ShownState = (typeof shownStates)[number]

/** As a person is told it: a batch that a held lane stops does not run. `state` keeps its word for scripts. */
type ToldState = ShownState | 'held'

export const toldState = (state: ShownState, held: boolean): ToldState => (held && state === 'running' ? 'held' : state)

export type Hold = {
  lane: string
  cause: HoldCause
  detail: string | null
  since: string
  nextTry: string | null
  /** It does not pass by itself. */
  needsPerson: boolean
}

/** One batch as the command line and the page tell it, a document in its name masked; the keys are a promise. */
export type BatchStatus = {
  batch: number
  name: string
  fileName: string | null
  kind: Kind
  organization: number
  state: ShownState
  shown: ToldState
  problem: string | null
  rows: number
  done: number
  open: number
  unanswered: number
  states: Record<string, number>
  /** In units. `open`: calls on their way, of which the answer will tell; they count against the limit already. */
  spend: { charged: number; open: number; limit: number | null; expected: number; elsewhere: number }
  inDoubt: number
  ratePerSecond: number | null
  etaSeconds: number | null
  hold: Hold | null
  workers: number
  times: Record<'submitted' | 'imported' | 'started' | 'finished' | 'exported', string | null>
}

/** How far a batch has come, what it cost, and what holds it. The rate is the average since it started. */
export const readStatus = async (sql: Sql, id: bigint, now: Date): Promise<BatchStatus> => {
  const batch = await batchOrRefuse(sql, id)
  const counts = await countsOf(sql, id)
  const sum = (wanted: (state: string) => boolean): number =>
    Object.entries(counts).reduce((rows, [state, count]) => (wanted(state) ? rows + count : rows), 0)
  const done = sum(() => true)
  const hold = batch.finishedAt ? null : await readHold(sql, batch)
  const shown = toldState(shownState(batch), hold !== null && (await isStopped(sql, id)))
  const calls = await callsOf(sql, id, batch.kind)
  return {
    batch: Number(batch.id),
    name: maskDocuments(batch.name),
    fileName: batch.fileName && maskDocuments(batch.fileName),
    kind: batch.kind,
    organization: Number(batch.organizationId),
    state: shownState(batch),
    shown,
    problem: batch.problem,
    rows: batch.rows,
    done,
    open: batch.rows - done,
    unanswered: sum((state) => !isAnswered(state)),
    states: counts,
    spend: spendOf(batch, calls),
    inDoubt: calls.inDoubt,
    ...(shown === 'running' || batch.finishedAt ? averagePace(batch, done - batch.rejected, now) : noPace),
    hold: hold && shownHold(batch, hold),
    workers: await countLiveWorkers(sql),
    times: timesOf(batch),
  }
}

/** Held by something that only a person can mend, with nothing left on its way: waiting longer brings nothing. */
export const isStuck = async (sql: Sql, { batch, hold, organization, kind }: BatchStatus): Promise<boolean> =>
  hold?.needsPerson === true && !(await stillMoves(sql, BigInt(batch), { organizationId: BigInt(organization), kind }))

export const shownState = ({ state, pausedAt, finishedAt }: Batch): ShownState =>
  pausedAt && !finishedAt ? 'paused' : state

/** What is reserved for calls on their way is not charged yet. */
export const spendOf = (batch: Batch, calls: UnsettledCalls): BatchStatus['spend'] => {
  const open = spendingKinds.includes(batch.kind) ? Math.min(calls.open, batch.spent) : 0
  return {
    charged: batch.spent - open,
    open,
    limit: batch.maxSpend,
    expected: batch.toBePaid,
    elsewhere: batch.adopted,
  }
}

/** A batch that waits for a word, a person or a lane comes no further, however far it is. */
const noPace: Pace = { ratePerSecond: null, etaSeconds: null }

const averagePace = ({ rows, rejected, startedAt, finishedAt }: Batch, answered: number, now: Date) =>
  startedAt
    ? paceSince(
        { at: startedAt.getTime(), done: 0 },
        { done: answered, total: rows - rejected, now: finishedAt ?? now },
      )
    : noPace

const passing: readonly HoldCause[] = ['outage', 'token']

const shownHold = (batch: Batch, { cause, detail, heldAt, probeAt }: LaneHold): Hold => ({
  lane: nameOf(batch),
  cause,
  detail,
  since: heldAt.toISOString(),
  nextTry: probeAt?.toISOString() ?? null,
  needsPerson: !passing.includes(cause),
})

const isAnswered = (state: string): boolean => state === 'rejected' || answeredStates.includes(state as LookupState)

const timesOf = (batch: Batch): BatchStatus['times'] => ({
  submitted: batch.createdAt.toISOString(),
  imported: batch.importedAt?.toISOString() ?? null,
  started: batch.startedAt?.toISOString() ?? null,
  finished: batch.finishedAt?.toISOString() ?? null,
  exported: batch.exportedAt?.toISOString() ?? null,
})
