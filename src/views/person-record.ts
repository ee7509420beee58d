import { maskName } from '../domain/mask-documents.ts'
import { boundsOf, within } from '../store/bound.ts'
import type { Sql } from '../store/connect.ts'
import { allValues } from '../store/rows.ts'
import { answerColumns } from './answer.ts'
import { listChangesOf } from './change.ts'
import { type RowOf, toView } from './fields.ts'
import { type AuditEntry, auditEntry } from './installation.ts'
import type { PersonLookup, PersonRecord } from './person.ts'
import { readRadarsOf } from './radar.ts'

type About = Pick<PersonRecord, 'document' | 'type'> & { key: string }

/** `key` identifies the person in the audit log. Each query uses an index, or reads a small table. */
export const readPersonRecord = async (sql: Sql, { document, type, key }: About): Promise<PersonRecord> => {
  const lookups = await lookupsOf(sql, document)
  const rows = await rowsOf(
    sql,
    lookups.map(({ lookup }) => lookup),
  )
  const changes = await listChangesOf(sql, document)
  return {
    document,
    type,
    lookups,
    rows,
    radars: await readRadarsOf(sql, document),
    snapshots: await snapshotsOf(sql, document),
    changes,
    portfolios: await portfoliosOf(sql, document),
    purchases: await purchasesOf(sql, document),
    usage: await usageOf(sql, document),
    suspicious: await suspiciousOf(sql, document),
    looks: await looksAt(sql, key, { rows, changes }),
  }
}

/** Oldest first: the answers over time. Current and superseded look-ups have an index each. */
const lookupsOf = (sql: Sql, document: string) => sql<PersonLookup[]>`
  select l.id as lookup, l.organization_id as organization, l.kind, vigia.state_of(l.state, i.sent_at) as state,
         l.batch_id as batch, l.asked_at as asked, l.finished_at as finished, l.as_of,
         vigia.charge_of(l.charged, i.sent_at) as charged, l.remote_id, l.remote_key, l.seen,
         a.lookup_id is not null as answered, b.purpose, ${answerColumns(sql)}
    from (select * from vigia.lookup where question = ${document} and current
           union all
          select * from vigia.lookup where question = ${document} and not current) as l
    left join vigia.intent i on i.lookup_id = l.id
    left join vigia.answer a on a.lookup_id = l.id
    left join vigia.batch b on b.id = l.batch_id
   where ${within(sql, 'l.organization_id')}
   order by l.id`

const rowsOf = (sql: Sql, lookupIds: bigint[]) => sql<PersonRecord['rows']>`
  select distinct on (r.batch_id, r.line) r.batch_id as batch, r.lookup_id as lookup, coalesce(b.file_name, b.name) as name,
         b.organization_id as organization, b.kind, b.source, b.submitted_by as by, b.created_at as submitted, b.finished_at as finished,
         b.file_id, b.layout, b.purpose, null as authorization, r.line, r.part, r.start_at, r.size,
         vigia.row_outcome(r, l) as state
    from vigia.batch_row r
    join vigia.lookup l on l.id = r.lookup_id
    join vigia.batch b on b.id = r.batch_id
   where r.lookup_id = any(${lookupIds}::bigint[])
   order by r.batch_id, r.line, r.part`

const snapshotsOf = (sql: Sql, document: string) => sql<PersonRecord['snapshots']>`
  select sweep_id as sweep, organization_id as organization, verified_at as verified, processes, counts, cents
    from vigia.snapshot
   where organization_id in (select distinct organization_id from vigia.sweep_organization union select organization_id from vigia.radar)
     and document = ${document} and ${within(sql, 'organization_id')}
   order by sweep_id`

const portfoliosOf = (sql: Sql, document: string) => sql<PersonRecord['portfolios']>`
  select p.name as portfolio, p.organization_id as organization, p.kind, d.name, d.ref, nullif(d.consent, '') as authorization,
         p.purpose, d.added_at as since, d.removed_at as removed
    from vigia.portfolio_document d
    join vigia.portfolio p on p.id = d.portfolio_id
   where d.document = ${document} and ${within(sql, 'p.organization_id')}
   order by lower(p.name)`

const purchasesOf = (sql: Sql, document: string) => sql<PersonRecord['purchases']>`
  select p.organization_id as organization, p.kind, p.remote_id as id, p.remote_key as key, p.dated, p.status, p.deleted,
         p.seen_at as seen, coalesce(p.lookup_id, o.id) as lookup,
         p.registry_name as name, p.debtor_status, p.listed
    from vigia.purchase p
    left join vigia.lookup o on vigia.owns(o, p)
   where p.document = ${document} and ${within(sql, 'p.organization_id')}
   order by p.seen_at, p.remote_id`

const usageOf = (sql: Sql, document: string) => sql<PersonRecord['usage']>`
  select u.organization_id as organization, to_char(u.day, 'YYYY-MM-DD') as day, d ->> 'id' as id,
         coalesce(d ->> 'because', '') as because
    from vigia.usage_day u, jsonb_array_elements(u.differing) as d
   where d ->> 'document' = ${document} and ${within(sql, 'u.organization_id')}
   order by u.day`

const suspiciousOf = (sql: Sql, document: string): Promise<bigint[]> =>
  allValues(sql`
    select organization_id from vigia.suspicious_list
     where radars @> jsonb_build_array(jsonb_build_object('document', ${document}::text))
       and ${within(sql, 'organization_id')}`)

/** Who looked at the person, revealed a row about them, or downloaded a file that contains them. */
const looksAt = async (
  sql: Sql,
  key: string,
  { rows, changes }: Pick<PersonRecord, 'rows' | 'changes'>,
): Promise<AuditEntry[]> => {
  const subjects = [
    ...rows.flatMap(({ batch, line }) => [`batch ${batch}`, `batch ${batch} line ${line}`]),
    // A download of the changes of a night contains those of every organization that its operator may see.
    ...(boundsOf(sql) ? [] : changes.flatMap(({ sweepId }) => [`sweep ${sweepId}`, 'changes'])),
  ]
  const looks = await sql<RowOf<typeof auditEntry>[]>`
    select id, at, who, what, subject, detail - 'person' as detail
      from vigia.audit
     where (detail ->> 'person' = ${key} and ${isByColleague(sql)})
        or (subject = any(${[...new Set(subjects)]}::text[]) and what in ('reveal', 'download', 'export'))
     order by id desc
     limit 500`
  return looks.map((look) => toView(auditEntry, look))
}

/** An operator who is limited to organizations sees only the looks of operators who are limited to one of them too. */
const isByColleague = (sql: Sql) => {
  const organizations = boundsOf(sql)
  return organizations
    ? sql`who in (select name from vigia.operator where organizations && ${organizations}::bigint[])`
    : sql`true`
}

type PersonFound = { document: string; name: string }

/**
 * Documents with a name that contains each of these names, by radars, portfolios and the registry. Case and accents do not
 * count. A name that only the registry gives is masked, as on every page.
 */
export const findPeople = async (sql: Sql, text: string, limit: number): Promise<PersonFound[]> => {
  const parts = foldName(text).split(/\s+/).filter(Boolean)
  const found = await sql<{ document: string; own: string | null; registry: string | null }[]>`
    with named as (
      select document, name, true as own from vigia.radar where ${within(sql, 'organization_id')}
       union all
      select d.document, d.name, true from vigia.portfolio_document d join vigia.portfolio p on p.id = d.portfolio_id
       where ${within(sql, 'p.organization_id')}
       union all
      select question, registry_name, false from vigia.lookup where registry_name is not null and ${within(sql, 'organization_id')}
       union all
      select document, registry_name, false from vigia.purchase where registry_name is not null and ${within(sql, 'organization_id')})
    select document, min(name) filter (where own) as own, min(name) filter (where not own) as registry
      from named
     where not exists (select from unnest(${parts}::text[]) as part (name)
                        where strpos(translate(lower(named.name), ${accented}, ${plain}), part.name) = 0)
     group by document
     order by coalesce(min(name) filter (where own), min(name)), document
     limit ${limit}`
  return found
    .map(({ document, own, registry }) => ({ document, name: own ?? maskName(registry ?? '') }))
    .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))
}

const accented = 'áàâãäéèêëíìîïóòôõöúùûüçñ'
const plain = 'aaaaaeeeeiiiiooooouuuucn'

const foldName = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')

/** Whether a text is a name and no document: it has letters in a row, and few digits. */
export const isName = (text: string): boolean => /\p{L}{3}/u.test(text) && (text.match(/\d/g) ?? []).length < 6
