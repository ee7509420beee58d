import type { JSONValue } from 'postgres'
import type { Step } from '../../domain/advance.ts'
import { shortenAddress } from '../../domain/kept-fields.ts'
import type { Kind } from '../../domain/kind.ts'
import { inEnglish } from '../../messages/message.ts'
import type { Sql } from '../connect.ts'
import { historyLine, setReason } from '../messages.ts'
import { isOfCall } from './intents.ts'

/** Ends what exceeds the batch's own limit. Nothing was sent, so nothing is owed. */
export const endOverBudget = async (sql: Sql, batchId: bigint, ids: bigint[], now: Date): Promise<bigint[]> => {
  const ended = await sql<{ id: bigint }[]>`
    update vigia.lookup
       set state = 'over_budget', finished_at = ${now}, due_at = null, ${setReason(sql, ['batch_spent'])},
           trace = array_append(trace, ${historyLine(now, ['over_budget'])})
     where id = any(${ids}::bigint[]) and batch_id = ${batchId} and state = 'queued'
    returning id`
  return ended.map(({ id }) => id)
}

export type SettledRow = {
  id: bigint
  kind: Kind
  batchId: bigint
  released: boolean
  sendingAt: Date | null
  /** The batches whose counts changed by the statement. */
  touched: bigint[]
}

/** A step to write; `sentAt` is its intent, if the step was a call that needs one. */
export type TakenStep = { step: Step; sentAt: Date | null }

/** The name in the list of the purchase that a step adopts. */
const listedName = (sql: Sql) => sql`
  (select p.registry_name from vigia.purchase p
    where p.organization_id = l.organization_id and p.kind = l.kind and p.remote_id = step.remote_id)`

/**
 * Writes each step with its answer, and counts the look-ups that ended, in one statement.
 *
 * The answer to a call is written while its intent is recorded, or the outcome of that same call is unknown. Any other step
 * is written only from the state that it found, and the judgement of a call only while no later call has an unknown
 * outcome. Repeated waiting replaces its last line in the history, so that a day of polling stays readable.
 */
export const writeSteps = (sql: Sql, taken: TakenStep[], now: Date) => sql<SettledRow[]>`
  with step as (
    select *
      from json_to_recordset(${sql.json(taken.map((each) => stepRow(each, now)))}::json) as step (
        id bigint, sent_at timestamptz, "from" text, sending_at timestamptz, "to" text, due_at timestamptz, deadline_at timestamptz, attempts int, polls int,
        unlisted_at timestamptz, refused_as text, remote_id text, remote_key text, charged text, seen text, detail text,
        message jsonb, as_of timestamptz, adopted boolean, history text[], counts text, cents text, amounts text[], total int, data json,
        registry_name text, estimated int, previous_id text, fields json)),
  sent as (
    delete from vigia.intent i using step
     where i.lookup_id = step.id and i.sent_at = step.sent_at
    returning i.lookup_id, i.sent_at, i.list_snapshot_id),
  settled as (
    update vigia.lookup l
       set state = step."to", due_at = step.due_at, deadline_at = step.deadline_at,
           sending_at = coalesce(sent.sent_at, l.sending_at), list_snapshot_id = coalesce(sent.list_snapshot_id, l.list_snapshot_id),
           attempts = least(step.attempts, 32767), polls = step.polls, worker_deaths = 0, unlisted_at = step.unlisted_at, refused_as = step.refused_as,
           remote_id = step.remote_id, remote_key = step.remote_key, charged = step.charged,
           seen = coalesce(step.seen, l.seen), as_of = step.as_of,
           detail = coalesce(step.detail, case when vigia.is_bought_elsewhere(l) then l.detail end),
           message = case when step.detail is not null then step.message
                       when vigia.is_bought_elsewhere(l) then l.message end,
           adopted_at = case when step.adopted then ${now}::timestamptz else l.adopted_at end,
           registry_name = coalesce(step.registry_name, l.registry_name, case when step.adopted then ${listedName(sql)} end),
           estimated = coalesce(step.estimated, l.estimated), previous_id = coalesce(step.previous_id, l.previous_id),
           finished_at = case when step.due_at is null then ${now}::timestamptz end,
           trace = case when vigia.history_code(l.trace[cardinality(l.trace)]) = 'not_ready' and vigia.history_code(step.history[1]) = 'not_ready'
                        then l.trace[1:cardinality(l.trace) - 1] else l.trace end || step.history
      from step
      left join sent on sent.lookup_id = step.id
     where l.id = any(${taken.map(({ step }) => step.id)}::bigint[]) and l.id = step.id
       and case when step.sent_at is not null
                then sent.lookup_id is not null or (l.state = 'sending' and ${isOfCall(sql, sql`step.sent_at`)})
                else l.state = step."from" and (l.state <> 'sending' or ${isOfCall(sql, sql`step.sending_at`)}) end
    returning l.id, l.state, l.kind, l.batch_id, l.organization_id, l.remote_id, step."from" = 'sending' and step.charged = 'no' as released, l.sending_at, l.finished_at,
              step.counts, step.cents, step.amounts, step.total, step.data, step.fields),
  answered as (
    insert into vigia.answer (lookup_id, counts, cents, amounts, total, data, protest_status, plan, protest_id, bucket,
                              folder, file_name, partial, important_terms, rest, debtor_status)
    select s.id, s.counts::integer[], s.cents::bigint[], s.amounts, s.total, s.data, f.protest_status, f.plan, f.protest_id, f.bucket,
           f.folder, f.file_name, f.partial, f.important_terms, f.rest,
           (select p.debtor_status from vigia.purchase p
             where p.organization_id = s.organization_id and p.kind = s.kind and p.remote_id = s.remote_id)
      from settled s
      left join lateral json_to_record(s.fields) as f (
           protest_status text, plan text, protest_id text, bucket text, folder text, file_name text, partial text,
           important_terms text[], rest jsonb) on true
     where s.state = 'ok'),
  ended as materialized (
    select vigia.count_ended(array_agg(id)) as touched from settled where finished_at is not null)
  select id, kind, batch_id as "batchId", released, sending_at as "sendingAt", touched from settled cross join ended`

const stepRow = ({ step, sentAt }: TakenStep, now: Date): Record<string, JSONValue> => ({
  id: String(step.id),
  sent_at: iso(sentAt),
  from: step.from,
  sending_at: iso(step.sendingAt),
  to: step.to,
  due_at: iso(step.dueAt),
  deadline_at: iso(step.deadlineAt),
  attempts: step.attempts,
  polls: step.polls,
  unlisted_at: iso(step.unlistedAt),
  refused_as: step.refusedAs,
  remote_id: step.remote?.id ?? null,
  remote_key: step.remote?.key ?? null,
  charged: step.charged,
  seen: step.seen,
  detail: step.detail && inEnglish(step.detail),
  message: step.detail as JSONValue,
  as_of: iso(step.asOf),
  adopted: step.adopted,
  registry_name: step.fields?.name ?? null,
  estimated: step.fields?.estimated ?? null,
  previous_id: step.fields?.previousId ?? null,
  history: [...(sentAt ? [historyLine(sentAt, ['intent'])] : []), historyLine(now, step.history)],
  ...answerColumns(step),
})

/** Amounts are stored as text only if one of them could not be read as cents. */
const answerColumns = ({ answer }: Step): Record<string, JSONValue> => {
  if (!answer) return {}
  const { summary, total = null } = answer
  const data = (answer.data ?? null) as JSONValue
  const fields = fieldColumns(answer)
  if (!summary) return { total, data, fields }
  const unreadable = summary.amounts.some((amount, i) => amount !== null && summary.cents[i] === null)
  return {
    fields,
    counts: arrayText(summary.counts),
    cents: arrayText(summary.cents),
    amounts: unreadable ? summary.amounts : null,
    data: data ?? (Object.keys(summary.others).length > 0 ? { others: summary.others } : null),
  }
}

/** Only what has a value; the partial address mostly begins as the full one does. */
const fieldColumns = ({ fields, data }: NonNullable<Step['answer']>): JSONValue => {
  if (!fields) return null
  const { protestStatus, plan, protestId, bucket, folder, fileName, partial, terms, rest } = fields
  const full = (data as { spreadsheet?: string } | null | undefined)?.spreadsheet ?? null
  const columns = {
    ...{ protest_status: protestStatus, plan, protest_id: protestId, bucket, folder, file_name: fileName },
    partial: partial ? shortenAddress(partial, full) : null,
    important_terms: terms && terms.length > 0 ? terms : null,
    rest,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value)) as JSONValue
}

/** An array as PostgreSQL writes it, which it parses faster than one in JSON. */
const arrayText = (numbers: (number | bigint | null)[]): string =>
  `{${numbers.map((number) => number ?? 'null').join()}}`

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null
