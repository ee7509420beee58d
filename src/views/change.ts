import { z } from 'zod'
import type { Verdict } from '../domain/risk-change.ts'
import { type Met, severities } from '../domain/rule.ts'
import { within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { bigId, iso, masked, maskedDocument, moment, type RowOf, shownText, toView } from './fields.ts'
import { ownNames } from './own-row.ts'

const line = z.object({
  id: bigId,
  sweepId: bigId,
  document: maskedDocument,
  name: masked.nullable(),
  field: z.string(),
  verdict: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})

/** A change of one monitored document. */
export const change = line.extend({
  organization: z.int(),
  weight: z.string().describe('an integer that may exceed 2^53; the worst change has the greatest'),
  seen: moment,
  rules: z
    .array(
      z.object({
        rule: z.string(),
        severity: z.enum(severities),
        told: z.boolean().describe('false: people were notified recently, and it is not worse since'),
      }),
    )
    .describe('the rules that it met'),
  acknowledged: z
    .object({ by: z.string(), at: moment, note: masked, snoozedUntil: moment.nullable() })
    .nullable()
    .describe('a person’s acknowledgement or snooze'),
})

/** A change, with the name and reference of the document in the newest file. */
export const filedChange = change.extend({
  file: ownNames.nullable().describe('the name and the reference in the newest file about the document'),
})

/** A change as recorded, with the name of its radar, or its name in the list of the portfolio. */
export type ChangeLine = RowOf<typeof line> & {
  organizationId: bigint
  verdict: Verdict
  weight: bigint
  seenAt: Date
  rules: Met[]
  acknowledgedAt: Date | null
  acknowledgedBy: string | null
  note: string | null
  snoozedUntil: Date | null
}

export const toChangeView = (of: ChangeLine, unmasked?: boolean): z.output<typeof change> => {
  // Figures are not masked: one in a hundred long figures would be a valid document by chance.
  const isUnmasked = unmasked || of.field !== 'name'
  return {
    ...toView(line, of, unmasked),
    before: shownText(of.before, isUnmasked),
    after: shownText(of.after, isUnmasked),
    organization: Number(of.organizationId),
    weight: String(of.weight),
    seen: iso(of.seenAt),
    rules: of.rules.map(({ rule, severity, notified }) => ({ rule, severity, told: notified })),
    acknowledged: toAcknowledgement(of),
  }
}

const toAcknowledgement = ({ acknowledgedAt, acknowledgedBy, note, snoozedUntil }: ChangeLine) =>
  acknowledgedAt && {
    by: acknowledgedBy ?? '',
    at: iso(acknowledgedAt),
    note: shownText(note ?? ''),
    snoozedUntil: iso(snoozedUntil),
  }

/** The response to a person who acknowledged or snoozed a change. */
export const acknowledgement = z.object({ change: z.int(), note: masked, snoozedUntil: moment.nullable() })
export type Acknowledgement = z.output<typeof acknowledgement>

/** Only changes of radar sweeps: those of a portfolio run are shown with that run. */
const ofRadars = (sql: Sql) => sql`
  exists (select from vigia.sweep s where s.id = c.sweep_id and s.name = 'radars')`

/** What a person looks for among changes; `portfolio`: documents that are in its list now. */
export type ChangeFilter = {
  acknowledged?: boolean
  verdict?: string
  class?: string
  leastCents?: bigint
  portfolio?: string
  rule?: string
}

type Listed = ChangeFilter & { since?: Date; sweepId?: bigint; limit: number }

/** Changes with notifications first, then the worst; of one sweep, or of all radar sweeps. */
export const listChanges = (sql: Sql, { since, sweepId, limit, ...filter }: Listed) =>
  sql<ChangeLine[]>`
    ${selectChanges(sql)}
     where ${within(sql, 'c.organization_id')} and ${sweepId ? sql`c.sweep_id = ${sweepId}` : ofRadars(sql)} ${since ? sql`and c.seen_at >= ${since}` : sql``}
       and ${matching(sql, filter)}
     order by (select max(${loudest(sql)}) from vigia.rule_met m where m.change_id = c.id and m.notified) desc nulls last,
              c.weight desc, c.id
     limit ${limit}`

const matching = (sql: Sql, { acknowledged, verdict, leastCents, portfolio, rule, class: of }: ChangeFilter) => {
  const [isOpen, cents] = [acknowledged === undefined ? null : !acknowledged, leastCents ?? null]
  return sql`
    (${isOpen}::boolean is null or (c.acknowledged_at is null) = ${isOpen})
    and (${verdict ?? null}::text is null or c.verdict = ${verdict ?? null})
    and (${of ?? null}::text is null or c.field in (${of ?? null}, ${`${of}_count`}, ${`${of}_value`}))
    and (${cents}::numeric is null
         or case when c.field ~ '_value$' and c.after ~ '^-?\\d+([.]\\d+)?$' then c.after::numeric * 100 >= ${cents}::numeric end)
    and (${portfolio ?? null}::text is null
         or exists (select from vigia.portfolio_document d
                      join vigia.portfolio p on p.id = d.portfolio_id
                     where p.name = ${portfolio ?? null} and p.organization_id = c.organization_id
                       and d.document = c.document and d.removed_at is null))
    and (${rule ?? null}::text is null
         or exists (select from vigia.rule_met m where m.change_id = c.id and m.rule = ${rule ?? null}))`
}

/** Newest first. */
export const listDocumentChanges = (sql: Sql, of: bigint, document: string, limit: number) => sql<ChangeLine[]>`
  ${selectChanges(sql)}
   where c.organization_id = ${of} and c.document = ${document} and ${within(sql, 'c.organization_id')}
   order by c.id desc
   limit ${limit}`

/** Of a document, for every organization, newest first. */
export const listChangesOf = (sql: Sql, document: string) => sql<ChangeLine[]>`
  ${selectChanges(sql)} where c.document = ${document} and ${within(sql, 'c.organization_id')} order by c.id desc`

/** Every change that the radar sweeps found on one local day, worst first. */
export async function* streamChangesOfDay(sql: Sql, day: string, timezone: string): AsyncGenerator<ChangeLine[]> {
  const rows = sql<ChangeLine[]>`
    ${selectChanges(sql)}
      join vigia.sweep s on s.id = c.sweep_id
     where s.name = 'radars' and (s.started_at at time zone ${timezone})::date = ${day}::date
     order by c.weight desc, c.id`
  yield* rows.cursor(1_000)
}

/** Every change that one sweep found, worst first. */
export async function* streamChangesOf(sql: Sql, sweepId: bigint): AsyncGenerator<ChangeLine[]> {
  yield* sql<ChangeLine[]>`
    ${selectChanges(sql)} where c.sweep_id = ${sweepId} order by c.weight desc, c.id`.cursor(1_000)
}

const selectChanges = (sql: Sql) => sql`
  select c.id, c.sweep_id, c.organization_id, c.document, coalesce(r.name, ${nameInList(sql)}) as name, c.field,
         c.verdict, c.before, c.after, c.weight, c.seen_at, c.acknowledged_at, c.acknowledged_by, c.note,
         c.snoozed_until,
         (select coalesce(jsonb_agg(jsonb_build_object('rule', m.rule, 'severity', m.severity, 'notified', m.notified)
                                    order by ${loudest(sql)} desc, m.rule), '[]')
            from vigia.rule_met m where m.change_id = c.id) as rules
    from vigia.change c
    left join vigia.radar r on r.organization_id = c.organization_id and r.document = c.document`

/** The name of the document in the list of the portfolio whose run found the change. */
const nameInList = (sql: Sql) => sql`
  (select nullif(d.name, '')
     from vigia.sweep s
     join vigia.portfolio_document d on d.portfolio_id = s.portfolio_id and d.document = c.document
    where s.id = c.sweep_id)`

const loudest = (sql: Sql) => sql`array_position(${severities}::text[], m.severity)`
