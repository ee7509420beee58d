import type { Step } from '../../domain/advance.ts'
import type { RiskSummary } from '../../domain/classifications.ts'
import type { Kind } from '../../domain/kind.ts'
import { type Answer, shortenAddress } from '../../domain/outcome.ts'
import type { Sql } from '../connect.ts'
import { historyLine, messageJson } from '../messages.ts'
import { allValues } from '../rows.ts'
import { isOfCall } from './intents.ts'

/** Ends what exceeds the limit of its batch, which is spent. Nothing was sent, so nothing is owed. */
export const endOverBudget = (sql: Sql, ids: bigint[], now: Date): Promise<bigint[]> =>
  allValues(sql`
    update vigia.lookup l
       set state = 'over_budget', finished_at = ${now}, due_at = null, message = ${messageJson(sql, ['batch_spent'])},
           trace = array_append(l.trace, ${historyLine(now, ['over_budget'])})
      from vigia.batch b
     where l.id = any(${ids}::bigint[]) and l.state = 'queued' and b.id = l.batch_id and not vigia.may_spend(b)
    returning l.id`)

/** A look-up whose call did nothing: the unit reserved for it can be given back. */
export type Released = { kind: Kind; batchId: bigint; sendingAt: Date }

/** What a group of steps changed: the batches whose counts changed, and the calls that did nothing. */
type Settled = { touched: bigint[]; released: Released[] }

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
 * outcome. Repeated waiting replaces its last line in the history, so that a day of polling stays readable. A purchase that
 * is answered at once has no lines, see `vigia.history_of`.
 */
export const writeSteps = async (sql: Sql, taken: TakenStep[], now: Date): Promise<Settled> => {
  const rows = await sql<(Released & { touched: bigint[] | null })[]>`
  with step as (
    select * from ${stepTable(sql, taken, now)}),
  sent as materialized (
    select lookup_id, sent_at, list_snapshot_id
      from vigia.end_intents(${taken.map(({ step }) => step.id)}::bigint[], ${taken.map(({ sentAt }) => sentAt)}::timestamptz[])),
  settled as (
    update vigia.lookup l
       set state = step."to", due_at = step.due_at, deadline_at = step.deadline_at,
           sending_at = coalesce(sent.sent_at, l.sending_at), list_snapshot_id = coalesce(sent.list_snapshot_id, l.list_snapshot_id),
           attempts = least(step.attempts, 32767), polls = step.polls, worker_deaths = 0, unlisted_at = step.unlisted_at, refused_as = step.refused_as,
           remote_id = step.remote_id, remote_key = step.remote_key, charged = step.charged,
           seen = coalesce(step.seen, l.seen), as_of = step.as_of,
           message = case when step.message is not null then step.message::jsonb
                       when l.message is not null and vigia.is_bought_elsewhere(l) then l.message end,
           adopted_at = case when step.adopted then ${now}::timestamptz else l.adopted_at end,
           registry_name = coalesce(step.registry_name, l.registry_name, case when step.adopted then ${listedName(sql)} end),
           estimated = coalesce(step.estimated, l.estimated), previous_id = coalesce(step.previous_id, l.previous_id),
           finished_at = case when step.due_at is null then ${now}::timestamptz end,
           trace = case when step.line_before is not null and step."to" = 'ok' and l.trace = '{}' then '{}'
                        when step.waits_on and vigia.history_code(l.trace[cardinality(l.trace)]) = 'not_ready'
                        then l.trace[1:cardinality(l.trace) - 1] || step.line
                        else l.trace || array_remove(array[step.intent_line, step.line_before, step.line], null) end
      from step
      left join sent on sent.lookup_id = step.id
     where l.id = any(${taken.map(({ step }) => step.id)}::bigint[]) and l.id = step.id
       and case when step.sent_at is not null
                then sent.lookup_id is not null or (l.state = 'sending' and ${isOfCall(sql, sql`step.sent_at`)})
                else l.state = step."from" and (l.state <> 'sending' or ${isOfCall(sql, sql`step.sending_at`)}) end
    returning l.id, l.state, l.kind, l.batch_id, l.organization_id, l.remote_id, l.sending_at, l.finished_at,
              step."from" = 'sending' and step.charged = 'no' as released, step.counts, step.cents, step.amounts, step.total, step.data,
              step.protest_status, step.plan, step.protest_id, step.bucket, step.folder, step.file_name, step.partial,
              step.important_terms, step.rest),
  answered as (
    insert into vigia.answer (lookup_id, counts, cents, amounts, total, data, protest_status, plan, protest_id, bucket,
                              folder, file_name, partial, important_terms, rest, debtor_status)
    select s.id, s.counts::integer[], s.cents::bigint[], ${texts(sql, sql`s.amounts`)}, s.total, s.data::jsonb,
           s.protest_status, s.plan, s.protest_id, s.bucket, s.folder, s.file_name, s.partial,
           ${texts(sql, sql`s.important_terms`)}, s.rest::jsonb,
           (select p.debtor_status from vigia.purchase p
             where p.organization_id = s.organization_id and p.kind = s.kind and p.remote_id = s.remote_id)
      from settled s
     where s.state = 'ok'),
  ended as materialized (
    select vigia.count_ended(array_agg(id)) as touched from settled where finished_at is not null having count(*) > 0)
  select touched, kind, batch_id, sending_at
    from (values (true)) as once
    left join ended on true
    left join settled on released`
  return {
    touched: rows[0]?.touched ?? [],
    released: rows.flatMap(({ kind, batchId, sendingAt }) => (kind ? { kind, batchId, sendingAt } : [])),
  }
}

/** A list of texts, which arrives as JSON. */
const texts = (sql: Sql, column: ReturnType<Sql>) => sql`
  case when ${column} is not null then array(select json_array_elements_text(${column}::json)) end`

/** What each step writes. Each column is sent as one array, which PostgreSQL parses in a third of the time of JSON. */
const columns: [name: string, type: string, value: (taken: TakenStep, now: Date) => unknown][] = [
  ['id', 'bigint', ({ step }) => step.id],
  ['sent_at', 'timestamptz', ({ sentAt }) => sentAt],
  ['from', 'text', ({ step }) => step.from],
  ['sending_at', 'timestamptz', ({ step }) => step.sendingAt],
  ['to', 'text', ({ step }) => step.to],
  ['due_at', 'timestamptz', ({ step }) => step.dueAt],
  ['deadline_at', 'timestamptz', ({ step }) => step.deadlineAt],
  ['attempts', 'int', ({ step }) => step.attempts],
  ['polls', 'int', ({ step }) => step.polls],
  ['unlisted_at', 'timestamptz', ({ step }) => step.unlistedAt],
  ['refused_as', 'text', ({ step }) => step.refusedAs],
  ['remote_id', 'text', ({ step }) => step.remote?.id],
  ['remote_key', 'text', ({ step }) => step.remote?.key],
  ['charged', 'text', ({ step }) => step.charged],
  ['seen', 'text', ({ step }) => step.seen],
  ['message', 'text', ({ step }) => json(step.detail)],
  ['as_of', 'timestamptz', ({ step }) => step.asOf],
  ['adopted', 'boolean', ({ step }) => step.adopted],
  ['registry_name', 'text', ({ step }) => step.fields?.name ?? step.before?.fields?.name],
  ['estimated', 'int', ({ step }) => step.fields?.estimated ?? step.before?.fields?.estimated],
  ['previous_id', 'text', ({ step }) => step.fields?.previousId ?? step.before?.fields?.previousId],
  ['intent_line', 'text', ({ sentAt }) => sentAt && historyLine(sentAt, ['intent'])],
  ['line_before', 'text', ({ step }, now) => step.before && historyLine(now, step.before.history)],
  ['line', 'text', ({ step }, now) => historyLine(now, step.history)],
  ['waits_on', 'boolean', ({ step, sentAt }) => !sentAt && step.history[0] === 'not_ready'],
  ['counts', 'text', ({ step }) => arrayText(step.answer?.summary?.counts)],
  ['cents', 'text', ({ step }) => arrayText(step.answer?.summary?.cents)],
  ['amounts', 'text', ({ step }) => json(unreadableAmounts(step.answer?.summary))],
  ['total', 'int', ({ step }) => (step.answer?.summary ? null : step.answer?.total)],
  ['data', 'text', ({ step }) => json(dataOf(step.answer))],
  ['protest_status', 'text', ({ step }) => step.answer?.fields?.protestStatus || null],
  ['plan', 'text', ({ step }) => step.answer?.fields?.plan || null],
  ['protest_id', 'text', ({ step }) => step.answer?.fields?.protestId || null],
  ['bucket', 'text', ({ step }) => step.answer?.fields?.bucket || null],
  ['folder', 'text', ({ step }) => step.answer?.fields?.folder || null],
  ['file_name', 'text', ({ step }) => step.answer?.fields?.fileName || null],
  ['partial', 'text', ({ step }) => partialOf(step.answer)],
  [
    'important_terms',
    'text',
    ({ step: { answer } }) => (answer?.fields?.terms?.length ? json(answer.fields.terms) : null),
  ],
  ['rest', 'text', ({ step }) => json(step.answer?.fields?.rest)],
]

/** `unnest` of these columns as `step`: the text around the arrays, in the form of a template. */
const around = columns.map(([, type], i) => `::${type}[]${i < columns.length - 1 ? ', ' : ''}`)
around.unshift('unnest(')
around[columns.length] += `) as step (${columns.map(([name]) => `"${name}"`).join()})`
const template: TemplateStringsArray = Object.assign(around, { raw: around })

const stepTable = (sql: Sql, taken: TakenStep[], now: Date) =>
  sql(template, ...columns.map(([, , value]) => taken.map((each) => value(each, now) ?? null) as never))

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))

/** Amounts are stored as text only if one of them could not be read as cents. */
const unreadableAmounts = (summary: RiskSummary | undefined): (string | null)[] | null =>
  summary?.amounts.some((amount, i) => amount !== null && summary.cents[i] === null) ? summary.amounts : null

const dataOf = (answer: Answer | null): unknown => {
  const others = answer?.summary?.others ?? {}
  return answer?.data ?? (Object.keys(others).length > 0 ? { others } : null)
}

/** The partial address mostly begins as the full one does. */
const partialOf = (answer: Answer | null): string | null => {
  const full = (answer?.data as { spreadsheet?: string } | null | undefined)?.spreadsheet ?? null
  return answer?.fields?.partial ? shortenAddress(answer.fields.partial, full) : null
}

/** An array as PostgreSQL writes it. */
const arrayText = (numbers: (number | bigint | null)[] | undefined): string | null =>
  numbers ? `{${numbers.map((number) => number ?? 'null').join()}}` : null
