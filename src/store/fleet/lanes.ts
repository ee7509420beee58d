import type { HoldCause } from '../../domain/call-failure.ts'
import { holdEnds } from '../../domain/hold-ends.ts'
import { type Kind, spendingKinds } from '../../domain/kind.ts'
import type { Message } from '../../messages/message.ts'
import { within } from '../bound.ts'
import type { Sql } from '../connect.ts'
import { messageJson } from '../messages.ts'
import { allValues, countRows, firstRow, isAny } from '../rows.ts'

export type Hold = {
  organizationId: bigint
  kind: Kind
  cause: HoldCause
  message: Message | null
  heldAt: Date
  trialAt: Date | null
  trials: number
  /** `asking`: what was paid for is still fetched. */
  stops: 'asking' | 'everything'
}

const causes = Object.keys(holdEnds) as HoldCause[]
const heldByOperator = causes.filter((cause) => holdEnds[cause].tried === 'never')
const holdEveryLane = causes.filter((cause) => holdEnds[cause].holds === 'every_lane')

type LaneRef = { organizationId: number | bigint; kind: Kind }

const isLane = (sql: Sql, { organizationId, kind }: LaneRef) => sql`
  organization_id = ${organizationId} and kind = ${kind}`

/** Held by a person, so only a person frees it. */
const isHeldByOperator = (sql: Sql) => sql`cause = any(${heldByOperator}::text[])`

/**
 * Holds a lane. True for the first hold: one cause, one alert. A trial that met an unreadable list tried nothing else, so
 * its wait need not be as long as that for the original cause.
 */
export const holdLane = async (
  sql: Sql,
  lane: LaneRef,
  hold: { cause: HoldCause; reason: Message; trialAt: Date | null; exactly?: boolean },
  now: Date,
): Promise<boolean> => {
  const first = sql`
    insert into vigia.lane (organization_id, kind, cause, message, held_at, trial_at)
    values (${lane.organizationId}, ${lane.kind}, ${hold.cause}, ${messageJson(sql, hold.reason)}, ${now}, ${hold.trialAt})
        on conflict (organization_id, kind) do nothing`
  if (await isAny(first)) return true
  await sql`
    update vigia.lane
       set cause = ${hold.cause}, message = ${messageJson(sql, hold.reason)},
           trial_at = case when ${hold.exactly ?? false} or (${hold.cause} = 'list' and cause <> 'list') then ${hold.trialAt}::timestamptz
                           else greatest(trial_at, ${hold.trialAt}) end
     where ${isLane(sql, lane)} and not ${isHeldByOperator(sql)}`
  return false
}

/** Lets one call try a held lane. The next trial is postponed first, so that only one worker sends one. */
export const beginTrial = async (
  sql: Sql,
  lane: LaneRef,
  now: Date,
  next: (cause: HoldCause, trials: number) => Date | null,
): Promise<boolean> => {
  const held = await firstRow<Pick<Hold, 'cause' | 'trials'>>(sql`
    select cause, trials from vigia.lane where ${isLane(sql, lane)} and trial_at <= ${now} for update skip locked`)
  if (!held) return false
  await sql`
    update vigia.lane set trial_at = ${next(held.cause, held.trials + 1)}, trials = trials + 1
     where ${isLane(sql, lane)}`
  return true
}

/** Lets one call try the lane at once, because its cause may be gone. What an operator holds stays held. */
export const tryLaneSoon = (sql: Sql, lane: LaneRef, now: Date) => sql`
  update vigia.lane set trial_at = least(trial_at, ${now}) where ${isLane(sql, lane)} and not ${isHeldByOperator(sql)}`

/** Look-ups that were never asked may show that only those before them failed, so one of them may try the lane at once. */
export const tryLaneWithNew = (sql: Sql, lane: LaneRef, now: Date) => sql`
  update vigia.lane set trial_at = least(trial_at, ${now})
   where ${isLane(sql, lane)} and cause in ('outage', 'denied', 'refused', 'fetch_refused')`

/** Frees a lane, unless an operator holds it; true if it was held. */
export const freeLane = (sql: Sql, lane: LaneRef): Promise<boolean> =>
  isAny(sql`delete from vigia.lane where ${isLane(sql, lane)} and not ${isHeldByOperator(sql)}`)

/** Frees a lane that is held for this cause; true if it was. */
export const freeLaneHeldFor = (sql: Sql, lane: LaneRef, cause: HoldCause): Promise<boolean> =>
  isAny(sql`delete from vigia.lane where ${isLane(sql, lane)} and cause = ${cause}`)

/** Frees a lane by an operator's command, whatever the cause. */
export const resumeLane = (sql: Sql, lane: LaneRef): Promise<boolean> =>
  isAny(sql`delete from vigia.lane where ${isLane(sql, lane)}`)

/** Frees every lane held for this cause, for example because a new token serves them all. */
export const freeLanesHeldFor = (sql: Sql, cause: HoldCause): Promise<number> =>
  countRows(sql`delete from vigia.lane where cause = ${cause}`)

/** Frees the lanes that were held for the token before a call began that the registry accepted. */
export const freeLanesProvenBy = (sql: Sql, begunAt: Date): Promise<number> =>
  countRows(sql`delete from vigia.lane where cause = 'token' and held_at < ${begunAt}`)

/**
 * Frees the lanes whose trial is long due and that have no work that could make one: nothing waits for them, and nothing
 * would find out that the cause is gone. The next call does. Causes that hold all lanes alike are not judged lane by lane,
 * and only a person frees what a person holds.
 */
export const freeIdleLanes = (sql: Sql, dueBefore: Date): Promise<string[]> =>
  allValues(sql`
    delete from vigia.lane
     where not ${isHeldByOperator(sql)} and cause <> all(${holdEveryLane}::text[]) and trial_at <= ${dueBefore}
       and not exists (
         select
           from vigia.batch b
          cross join (values ('queued'), ('waiting'), ('sending')) as step (state)
          cross join lateral (
            select from vigia.lookup l
             where l.kind = b.kind and l.state = step.state and l.batch_id = b.id and l.due_at is not null
             limit 1) open
          where b.organization_id = lane.organization_id and b.kind = lane.kind and b.finished_at is null
            and (step.state <> 'queued' or vigia.goes_on(b)) and vigia.hold_is_tried_by(lane.cause, step.state))
    returning organization_id || '/' || kind as lane`)

export const heldLanes = (sql: Sql) => sql<Hold[]>`
  ${selectHolds(sql)} where ${within(sql, 'organization_id')} order by held_at, organization_id, kind`

export const readHold = (sql: Sql, lane: LaneRef): Promise<Hold | null> =>
  firstRow(sql`${selectHolds(sql)} where ${isLane(sql, lane)}`)

const selectHolds = (sql: Sql) => sql`
  select organization_id, kind, cause, message, held_at, trial_at, trials,
         case when vigia.hold_stops(cause, 'waiting') then 'everything' else 'asking' end as stops
    from vigia.lane`

/** The pace of a lane's last batches: look-ups per second once answers come, and how long one of them takes. */
type LanePace = { perSecond: number; secondsEach: number }

/**
 * Measured on the last five batches that asked enough; null if there are none.
 *
 * The median is used, so that a night in which the lane was held does not count. How long a look-up takes from its call to
 * its answer is read from the first rows of each batch.
 */
export const readLanePace = async (sql: Sql, organizationId: number, kind: Kind): Promise<LanePace | null> => {
  const asked = spendingKinds.includes(kind) ? sql`b.spent` : sql`(b.rows - b.rejected) * b.documents_per_row`
  const [row] = await sql<{ perSecond: number | null; secondsEach: number | null }[]>`
    select percentile_cont(0.5) within group (order by asked / greatest(seconds - each_one, seconds / 10, 0.001)) as per_second,
           percentile_cont(0.5) within group (order by each_one) as seconds_each
      from (select ${asked} as asked, extract(epoch from b.finished_at - b.started_at)::float8 as seconds,
                   coalesce((select avg(extract(epoch from answered.finished_at - answered.sending_at))::float8
                               from (select l.finished_at, l.sending_at
                                       from vigia.batch_row r
                                       join vigia.lookup l on l.id = r.lookup_id
                                      where r.batch_id = b.id and vigia.row_pays(r, l) and l.state = 'ok'
                                      order by r.line
                                      limit 200) as answered), 0) as each_one
              from vigia.batch b
             where b.organization_id = ${organizationId} and b.kind = ${kind} and b.state = 'done' and b.file_id is not null
               and ${asked} >= ${enough}
             order by b.id desc
             limit 5) as recent`
  if (!row || row.perSecond === null) return null
  return { perSecond: row.perSecond, secondsEach: row.secondsEach ?? 0 }
}

const enough = 20
