import { z } from 'zod'
import { priceOf, type UnitPrices } from '../domain/amount.ts'
import type { DocumentType } from '../domain/document.ts'
import type { Kind } from '../domain/kind.ts'
import type { Charge, LookupState } from '../domain/lookup.ts'
import type { Sql } from '../store/connect.ts'
import { type AnswerRow, answer, tellAnswer } from './answer.ts'
import { type AuditEntry, auditEntry } from './audit.ts'
import { type ChangeLine, change, listChangesOf, tellChange } from './change.ts'
import { charged, iso, kind, masked, moment, price, shownDocument, shownText } from './fields.ts'
import { type RadarLine, radar, readRadarsOf, tellRadar } from './radar.ts'

/** Everything that is held about one document: what, where it came from, when, for how long, and who saw it. */
export const person = z.object({
  document: masked,
  type: z.enum(['CPF', 'CNPJ']),
  lookups: z.array(
    z.object({
      lookup: z.int(),
      organization: z.int(),
      kind,
      state: z.string(),
      batch: z.int().describe('the batch that asked; it may be gone'),
      asked: moment,
      finished: moment.nullable(),
      asOf: moment.nullable(),
      charged,
      price: price.describe('of what was charged'),
      remoteId: z.string().nullable(),
      keptUntil: moment.nullable().describe('null while it is open'),
      answer: answer.nullable(),
    }),
  ),
  rows: z
    .array(
      z.object({
        batch: z.int(),
        name: masked,
        organization: z.int(),
        kind,
        source: z.string(),
        by: z.string().nullable(),
        submitted: moment,
        line: z.int(),
        state: z.string(),
        keptUntil: moment.nullable(),
      }),
    )
    .describe('the lines of files in which it stands'),
  radars: z.array(radar),
  snapshots: z.array(
    z.object({
      sweep: z.int(),
      organization: z.int(),
      verified: moment.nullable(),
      processes: z.int().nullable(),
    }),
  ),
  changes: z.array(change),
  portfolios: z
    .array(
      z.object({
        portfolio: z.string(),
        organization: z.int(),
        kind,
        name: masked.describe('as the list calls the person'),
        ref: masked,
        since: moment,
        removed: moment.nullable().describe('it left the list; it goes when the next run has told so'),
      }),
    )
    .describe('the lists that ask about it again and again'),
  purchases: z
    .array(
      z.object({
        organization: z.int(),
        kind,
        id: z.string(),
        dated: z.string().nullable(),
        status: z.string().nullable(),
        deleted: z.boolean(),
        seen: moment,
        lookup: z.int().nullable().describe('the look-up that owns it'),
      }),
    )
    .describe('what the registry lists as bought'),
  usage: z.array(
    z.object({ organization: z.int(), day: z.iso.date(), id: z.string().nullable(), because: z.string() }),
  ),
  suspicious: z.array(z.int()).describe('organizations whose list of radars, not believed yet, has it'),
  looks: z.array(auditEntry).describe('who looked at it, and who downloaded a file that holds it; newest first'),
})
export type PersonShown = z.output<typeof person>

export type PersonLookup = AnswerRow & {
  id: bigint
  organizationId: bigint
  kind: Kind
  state: LookupState
  batchId: bigint
  askedAt: Date
  finishedAt: Date | null
  asOf: Date | null
  charged: Charge
  remoteId: string | null
  seen: string | null
  answered: boolean
}

export type PersonRow = {
  batchId: bigint
  name: string
  organizationId: bigint
  kind: Kind
  source: string
  by: string | null
  submittedAt: Date
  finishedAt: Date | null
  fileId: bigint | null
  layout: unknown
  line: number
  startAt: bigint
  size: number
  outcome: string
}

export type PersonRecord = {
  document: string
  type: DocumentType
  lookups: PersonLookup[]
  rows: PersonRow[]
  radars: RadarLine[]
  snapshots: PersonSnapshot[]
  changes: ChangeLine[]
  portfolios: PersonPortfolio[]
  purchases: PersonPurchase[]
  usage: { organizationId: bigint; day: string; id: string | null; because: string }[]
  suspicious: bigint[]
  looks: AuditEntry[]
}

type PersonSnapshot = {
  sweepId: bigint
  organizationId: bigint
  verifiedAt: Date | null
  processes: number | null
  counts: (number | null)[] | null
  cents: (bigint | null)[] | null
}

type PersonPortfolio = {
  portfolio: string
  organizationId: bigint
  kind: Kind
  name: string
  ref: string
  addedAt: Date
  removedAt: Date | null
}

type PersonPurchase = {
  organizationId: bigint
  kind: Kind
  remoteId: string
  dated: string | null
  status: string | null
  deleted: boolean
  seenAt: Date
  lookupId: bigint | null
}

type About = { document: string; type: DocumentType; key: string }

/** `key` is the name of the person in the audit log. Each part is found by an index, or in a table that is small. */
export const readPersonRecord = async (sql: Sql, { document, type, key }: About): Promise<PersonRecord> => {
  const lookups = await lookupsOf(sql, document)
  const ids = lookups.map(({ id }) => id)
  const rows = await rowsOf(sql, ids)
  return {
    document,
    type,
    lookups,
    rows,
    radars: await readRadarsOf(sql, document),
    snapshots: await snapshotsOf(sql, document),
    changes: await listChangesOf(sql, document),
    portfolios: await portfoliosOf(sql, document),
    purchases: await purchasesOf(sql, document),
    usage: await usageOf(sql, document),
    suspicious: await suspiciousOf(sql, document),
    looks: await looksAt(sql, key, rows),
  }
}

export const tellPerson = (
  record: PersonRecord,
  {
    prices,
    retention,
    unmasked,
  }: { prices: UnitPrices | null; retention: { batches: number; lookups: number }; unmasked?: boolean },
): PersonShown => ({
  document: shownDocument(record.document, unmasked),
  type: record.type,
  lookups: record.lookups.map((each) => ({
    lookup: Number(each.id),
    organization: Number(each.organizationId),
    kind: each.kind,
    state: each.state,
    batch: Number(each.batchId),
    asked: iso(each.askedAt),
    finished: iso(each.finishedAt),
    asOf: iso(each.asOf),
    charged: each.charged,
    price: each.charged === 'yes' ? priceOf(prices, each.kind, 1) : null,
    remoteId: each.remoteId,
    keptUntil: later(each.finishedAt, retention.lookups),
    answer: each.answered ? tellAnswer(each, each.kind) : null,
  })),
  rows: record.rows.map((each) => ({
    batch: Number(each.batchId),
    name: shownText(each.name, unmasked),
    organization: Number(each.organizationId),
    kind: each.kind,
    source: each.source,
    by: each.by,
    submitted: iso(each.submittedAt),
    line: each.line,
    state: each.outcome,
    keptUntil: later(each.finishedAt, retention.batches),
  })),
  radars: record.radars.map((each) => tellRadar(each, unmasked)),
  snapshots: record.snapshots.map((each) => ({
    sweep: Number(each.sweepId),
    organization: Number(each.organizationId),
    verified: iso(each.verifiedAt),
    processes: each.processes,
  })),
  changes: record.changes.map((each) => tellChange(each, unmasked)),
  portfolios: record.portfolios.map((each) => ({
    portfolio: each.portfolio,
    organization: Number(each.organizationId),
    kind: each.kind,
    name: shownText(each.name, unmasked),
    ref: shownText(each.ref, unmasked),
    since: iso(each.addedAt),
    removed: iso(each.removedAt),
  })),
  purchases: record.purchases.map((each) => ({
    organization: Number(each.organizationId),
    kind: each.kind,
    id: each.remoteId,
    dated: each.dated,
    status: each.status,
    deleted: each.deleted,
    seen: iso(each.seenAt),
    lookup: each.lookupId === null ? null : Number(each.lookupId),
  })),
  usage: record.usage.map(({ organizationId, ...each }) => ({ organization: Number(organizationId), ...each })),
  suspicious: record.suspicious.map(Number),
  looks: record.looks,
})

const later = (moment: Date | null, ms: number): string | null =>
  moment && new Date(moment.getTime() + ms).toISOString()

/** Oldest first: the answers over time. Current ones and superseded ones have an index each. */
const lookupsOf = (sql: Sql, document: string) => sql<PersonLookup[]>`
  select l.id, l.organization_id as "organizationId", l.kind, l.state, l.batch_id as "batchId", l.asked_at as "askedAt",
         l.finished_at as "finishedAt", l.as_of as "asOf",
         case when i.lookup_id is null then l.charged else 'unknown' end as charged, l.remote_id as "remoteId", l.seen,
         a.lookup_id is not null as answered, a.counts, a.cents, a.amounts, a.total, a.data
    from (select * from vigia.lookup where question = ${document} and current
           union all
          select * from vigia.lookup where question = ${document} and not current) as l
    left join vigia.intent i on i.lookup_id = l.id
    left join vigia.answer a on a.lookup_id = l.id
   order by l.id`

const rowsOf = (sql: Sql, lookupIds: bigint[]) => sql<PersonRow[]>`
  select r.batch_id as "batchId", coalesce(b.file_name, b.name) as name, b.organization_id as "organizationId", b.kind,
         b.source, b.submitted_by as by, b.created_at as "submittedAt", b.finished_at as "finishedAt",
         b.file_id as "fileId", b.layout, r.line, r.start_at as "startAt", r.size, vigia.row_outcome(r, l) as outcome
    from vigia.batch_row r
    join vigia.lookup l on l.id = r.lookup_id
    join vigia.batch b on b.id = r.batch_id
   where r.lookup_id = any(${lookupIds}::bigint[])
   order by r.batch_id, r.line`

const snapshotsOf = (sql: Sql, document: string) => sql<PersonSnapshot[]>`
  select sweep_id as "sweepId", organization_id as "organizationId", verified_at as "verifiedAt", processes, counts, cents
    from vigia.snapshot
   where organization_id in (select distinct organization_id from vigia.sweep_organization union select organization_id from vigia.radar)
     and document = ${document}
   order by sweep_id`

const portfoliosOf = (sql: Sql, document: string) => sql<PersonPortfolio[]>`
  select p.name as portfolio, p.organization_id as "organizationId", p.kind, d.name, d.ref, d.added_at as "addedAt",
         d.removed_at as "removedAt"
    from vigia.portfolio_document d
    join vigia.portfolio p on p.id = d.portfolio_id
   where d.document = ${document}
   order by lower(p.name)`

const purchasesOf = (sql: Sql, document: string) => sql<PersonPurchase[]>`
  select p.organization_id as "organizationId", p.kind, p.remote_id as "remoteId", p.dated, p.status, p.deleted,
         p.seen_at as "seenAt", coalesce(p.lookup_id, o.id) as "lookupId"
    from vigia.purchase p
    left join vigia.lookup o on o.kind = p.kind and o.remote_id = p.remote_id and o.current
   where p.document = ${document}
   order by p.seen_at, p.remote_id`

const usageOf = (sql: Sql, document: string) => sql<PersonRecord['usage']>`
  select u.organization_id as "organizationId", to_char(u.day, 'YYYY-MM-DD') as day, d ->> 'id' as id,
         coalesce(d ->> 'because', '') as because
    from vigia.usage_day u, jsonb_array_elements(u.differing) as d
   where d ->> 'document' = ${document}
   order by u.day`

const suspiciousOf = async (sql: Sql, document: string): Promise<bigint[]> => {
  const rows = await sql<{ organizationId: bigint }[]>`
    select organization_id as "organizationId" from vigia.suspicious_list
     where radars @> jsonb_build_array(jsonb_build_object('document', ${document}::text))`
  return rows.map(({ organizationId }) => organizationId)
}

/** Whoever looked at the person, revealed a row of theirs, or took a file away that holds them. */
const looksAt = async (sql: Sql, key: string, rows: PersonRow[]): Promise<AuditEntry[]> => {
  const subjects = rows.flatMap(({ batchId, line }) => [`batch ${batchId}`, `batch ${batchId} line ${line}`])
  const found = await sql<(Omit<AuditEntry, 'id' | 'at'> & { id: bigint; at: Date })[]>`
    select id, at, who, what, subject, detail - 'person' as detail
      from vigia.audit
     where detail ->> 'person' = ${key}
        or (subject = any(${[...new Set(subjects)]}::text[]) and what in ('reveal', 'download', 'export'))
     order by id desc
     limit 500`
  return found.map(({ id, at, ...entry }) => ({ id: Number(id), at: iso(at), ...entry }))
}
