import type { JSONValue } from 'postgres'
import type { Step } from '../../domain/advance.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Lookup } from '../../domain/lookup.ts'
import { inEnglish } from '../../domain/said/english.ts'
import type { Sql } from '../connect.ts'
import { serverStart } from '../fleet/workers.ts'
import { because, storyLine } from '../said.ts'

/** The look-ups that a job has in hand and may work on now. */
export const readWorkable = async (sql: Sql, ids: bigint[], jobId: string, now: Date): Promise<Lookup[]> => {
  const rows = await sql<LookupRow[]>`
    select ${lookupColumns(sql)}
      from lookup
     where id in (${workable(sql, ids, jobId, now)})`
  return rows.map(toLookup)
}

/** A held lane lets only a probe through; a batch that is paused or cancelled only what it already paid for. */
const workable = (sql: Sql, ids: bigint[], jobId: string, now: Date) => sql`
  select l.id
    from lookup l
    join batch b on b.id = l.batch_id
    left join lane on lane.organization_id = l.organization_id and lane.kind = l.kind
                  and hold_stops(lane.cause, l.state)
   where l.id = any(${ids}::bigint[]) and l.job_id = ${jobId} and l.finished_at is null
     and (l.state <> 'queued' or may_ask(b))
     and (lane.cause is null or (lane.probe_at > ${now} and ${ids.length} = 1))`

export type Begun = Lookup & { batchId: bigint }

/**
 * Records the intent to spend, once; from here on only an answer or the registry's list can tell what happened.
 *
 * Only on the server whose books were read: another one, or an older copy, may have forgotten what was bought.
 */
export const beginSending = async (
  sql: Sql,
  ids: bigint[],
  jobId: string,
  { now, judgedAt, server }: { now: Date; judgedAt: Date; server: string },
): Promise<Begun[]> => {
  const rows = await sql<(LookupRow & { batchId: bigint })[]>`
    update lookup
       set state = 'sending', sending_at = ${now}, due_at = ${judgedAt}, charged = 'unknown', absent_at = null,
           reading_id = (select max(r.id) from reading r
                          where r.organization_id = lookup.organization_id and r.kind = lookup.kind
                            and r.ended_at is not null),
           trace = array_append(trace, ${storyLine(now, ['intent'])})
     where id in (${workable(sql, ids, jobId, now)})
       and job_id = ${jobId} and state = 'queued' and deadline_at > ${now}
       and ${serverStart(sql)} = ${server}
    returning ${lookupColumns(sql)}, batch_id as "batchId"`
  return rows.map((row) => ({ ...toLookup(row), batchId: row.batchId }))
}

/** Takes intents back in the transaction that recorded them: the budget does not reach that far. */
export const takeBackIntents = (sql: Sql, ids: bigint[], now: Date) => sql`
  update lookup
     set state = 'queued', sending_at = null, due_at = ${now}, charged = 'no', job_id = null,
         trace = trace[1:cardinality(trace) - 1]
   where id = any(${ids}::bigint[]) and state = 'sending'`

/** Ends what does not fit under the batch's own limit. Nothing was sent, so nothing is owed. */
export const endOverBudget = async (sql: Sql, batchId: bigint, ids: bigint[], now: Date): Promise<bigint[]> => {
  const ended = await sql<{ id: bigint }[]>`
    update lookup
       set state = 'over_budget', finished_at = ${now}, due_at = null, ${because(sql, ['batch_spent'])},
           trace = array_append(trace, ${storyLine(now, ['over_budget'])})
     where id = any(${ids}::bigint[]) and batch_id = ${batchId} and state = 'queued'
    returning id`
  return ended.map(({ id }) => id)
}

export type SettledRow = {
  id: bigint
  state: string
  kind: Kind
  batchId: bigint
  released: boolean
  sendingAt: Date | null
}

/** A step that a job took. */
export type TakenStep = { step: Step; jobId: string }

/**
 * Writes what became of each look-up, its answer with it, in one statement.
 *
 * Only the job that has the look-up in hand may write, and only from the state it found.
 * Waiting that goes on replaces its last line in the story, so that a day of polling stays readable.
 */
export const writeSteps = (sql: Sql, taken: TakenStep[], now: Date) => sql<SettledRow[]>`
  with step as (
    select *
      from json_to_recordset(${sql.json(taken.map((each) => stepRow(each, now)))}::json) as step (
        id bigint, job_id uuid, "from" text, "to" text, due_at timestamptz, deadline_at timestamptz, attempts int, polls int,
        absent_at timestamptz, remote_id text, remote_key text, charged text, seen text, detail text,
        said jsonb, as_of timestamptz, adopted boolean, story text, counts text, cents text, amounts text[], total int, data json)),
  settled as (
    update lookup l
       set state = step."to", due_at = step.due_at, deadline_at = step.deadline_at, job_id = null,
           attempts = least(step.attempts, 32767), polls = step.polls, suspicion = 0, absent_at = step.absent_at,
           remote_id = step.remote_id, remote_key = step.remote_key, charged = step.charged,
           seen = coalesce(step.seen, l.seen), as_of = step.as_of,
           detail = coalesce(step.detail, case when l.adopted_at is not null and l.charged = 'no' then l.detail end),
           said = case when step.detail is not null then step.said
                       when l.adopted_at is not null and l.charged = 'no' then l.said end,
           adopted_at = case when step.adopted then ${now}::timestamptz else l.adopted_at end,
           finished_at = case when step.due_at is null then ${now}::timestamptz end,
           trace = case when story_code(l.trace[cardinality(l.trace)]) = 'not_ready' and story_code(step.story) = 'not_ready'
                        then l.trace[1:cardinality(l.trace) - 1] else l.trace end || step.story
      from step
     where l.id = any(${taken.map(({ step }) => step.id)}::bigint[])
       and l.id = step.id and l.job_id = step.job_id and l.state = step."from"
    returning l.id, l.state, l.kind, l.batch_id, step."from" = 'sending' and step.charged = 'no' as released, l.sending_at,
              step.counts, step.cents, step.amounts, step.total, step.data),
  answered as (
    insert into answer (lookup_id, counts, cents, amounts, total, data)
    select id, counts::integer[], cents::bigint[], amounts, total, data from settled where state = 'ok')
  select id, state, kind, batch_id as "batchId", released, sending_at as "sendingAt" from settled`

const stepRow = ({ step, jobId }: TakenStep, now: Date): Record<string, JSONValue> => ({
  id: String(step.id),
  job_id: jobId,
  from: step.from,
  to: step.to,
  due_at: iso(step.dueAt),
  deadline_at: iso(step.deadlineAt),
  attempts: step.attempts,
  polls: step.polls,
  absent_at: iso(step.absentAt),
  remote_id: step.remote?.id ?? null,
  remote_key: step.remote?.key ?? null,
  charged: step.charged,
  seen: step.seen,
  detail: step.detail && inEnglish(step.detail),
  said: step.detail as JSONValue,
  as_of: iso(step.asOf),
  adopted: step.adopted,
  story: storyLine(now, step.story),
  ...answerColumns(step),
})

/** Amounts are stored as text only where one of them could not be read as cents. */
const answerColumns = ({ answer }: Step): Record<string, JSONValue> => {
  if (!answer) return {}
  const { summary, total = null } = answer
  const data = (answer.data ?? null) as JSONValue
  if (!summary) return { total, data }
  const unreadable = summary.amounts.some((amount, i) => amount !== null && summary.cents[i] === null)
  return {
    counts: arrayText(summary.counts),
    cents: arrayText(summary.cents),
    amounts: unreadable ? summary.amounts : null,
    data: data ?? (Object.keys(summary.others).length > 0 ? { others: summary.others } : null),
  }
}

/** An array as PostgreSQL writes it, which it reads faster than one in JSON. */
const arrayText = (numbers: (number | bigint | null)[]): string =>
  `{${numbers.map((number) => number ?? 'null').join()}}`

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null

type LookupRow = Omit<Lookup, 'organizationId' | 'remote'> & {
  organizationId: bigint
  remoteId: string | null
  remoteKey: string | null
}

const lookupColumns = (sql: Sql) => sql`
  id, organization_id as "organizationId", kind, question, document_type as "documentType", label, state,
  attempts, polls, deadline_at as "deadlineAt", sending_at as "sendingAt", absent_at as "absentAt",
  reading_id as "readingId", remote_id as "remoteId", remote_key as "remoteKey", charged`

const toLookup = ({ organizationId, remoteId, remoteKey, ...rest }: LookupRow): Lookup => ({
  ...rest,
  organizationId: Number(organizationId),
  remote: remoteId === null ? null : { id: remoteId, key: remoteKey },
})
