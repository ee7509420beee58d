import type { Fragment, PendingQuery } from 'postgres'
import type { Kind } from '../../domain/kind.ts'
import type { Sql, Transaction } from '../connect.ts'
import { isSent } from '../lookups/intents.ts'
import { historyLine, messageJson } from '../messages.ts'
import { purchaseKeys } from '../person-key.ts'
import { allValues } from '../rows.ts'
import { isUnowned, mayBeOthers } from './purchases.ts'

/** What may be adopted instead of bought: it is nobody else's, was not deleted, and no date proves it older than that. */
export const isAdoptable = (sql: Sql, freshSince: Date) => sql`
  (not p.deleted and (p.dated_to is null or p.dated_to > ${freshSince} or vigia.is_misdated(p)) and ${isUnowned(sql)} and not ${mayBeOthers(sql)})`

/** May be a purchase of ours that the database has lost: no date proves it younger than the database, in any zone. */
const mayBeForgotten = (sql: Sql) => sql`
  exists (select from vigia.fleet f
           where f.list_read_after > '-infinity'
             and (p.dated_from is null or p.dated_from <= f.list_read_after + interval '1 day'))`

/** Which purchases are adopted: any of the organization, or only those that may be lost ones of ours. */
type Adoption = { of: 'any' | 'forgotten'; freshSince: Date; deadlineAt: Date; now: Date }

/**
 * Lets queued look-ups adopt what their organization has bought already: they are consulted, and cost nothing.
 *
 * All of a batch, or those named, locked first; in a transaction. The cost of their batch falls by as many. What we bought
 * ourselves for a person who was erased since is adopted whatever the settings say.
 */
export const adoptBought = async (
  sql: Transaction,
  scope: { batchId: bigint } | { ids: bigint[] },
  { of, freshSince, deadlineAt, now }: Adoption,
): Promise<bigint[]> => {
  const scoped = 'ids' in scope ? sql`l.id = any(${scope.ids}::bigint[])` : sql`l.batch_id = ${scope.batchId}`
  await restoreErased(sql, scoped, freshSince)
  const offered = sql`
    vigia.lookup l
    join vigia.purchase p on p.document = l.question and p.kind = l.kind and p.organization_id = l.organization_id
                   and l.state = 'queued' and l.current and ${isAdoptable(sql, freshSince)}
                   ${of === 'forgotten' ? sql`and (p.bought_at is not null or ${mayBeForgotten(sql)})` : sql``}`
  const candidates = await sql<{ id: bigint }[]>`
    select l.id
      from ${offered}
     where ${scoped}
     order by l.id
       for no key update of l`
  if (candidates.length === 0) return []
  const before = (ours: Fragment, others: Fragment) => sql`case when found.is_ours then ${ours} else ${others} end`
  return allValues(sql`
    with found as (
      select distinct on (l.id) l.id, p.remote_id, p.remote_key, p.dated, p.bought_at is not null as is_ours, p.registry_name
        from ${offered}
       where l.id = any(${candidates.map(({ id }) => id)}::bigint[]) and not ${isSent(sql)}
       order by l.id, p.dated_to desc nulls last, p.remote_id desc),
    adopted as (
      update vigia.lookup l
         set state = 'waiting', remote_id = found.remote_id, remote_key = found.remote_key, adopted_at = ${now},
             registry_name = found.registry_name, due_at = ${now}, deadline_at = ${deadlineAt}, attempts = 0, charged = 'no',
             message = ${before(sql`${messageJson(sql, ['bought_before'])}::jsonb`, sql`jsonb_build_array('bought_elsewhere', found.dated)`)},
             trace = array_append(trace, ${before(sql`${historyLine(now, ['adopted_again'])}`, sql`${historyLine(now, ['adopted_elsewhere'])}`)})
        from found
       where l.id = found.id and l.state = 'queued'
      returning l.id, l.batch_id),
    owed as (
      update vigia.batch b set to_be_paid = greatest(b.to_be_paid - less.units, 0), adopted = b.adopted + less.units
        from (select batch_id, count(*)::int as units from adopted group by batch_id) as less
       where b.id = less.batch_id)
    select id from adopted`)
}

/** Purchases of erased people who are asked about again get their documents back, and may be adopted. */
const restoreErased = async (sql: Transaction, scoped: Fragment, freshSince: Date): Promise<void> => {
  const asked = sql<AskedLane[]>`
    select l.question, l.organization_id, l.kind
      from vigia.lookup l
     where ${scoped} and l.state = 'queued' and l.current`
  const again = await findErasedAgain(sql, asked, freshSince)
  if (again.length === 0) return
  await sql`
    update vigia.purchase p set document = again.document, person_key = null, lookup_id = null
      from unnest(${again.map(({ key }) => key)}::text[], ${again.map(({ question }) => question)}::text[],
                  ${again.map(({ organizationId }) => organizationId)}::bigint[], ${again.map(({ kind }) => kind)}::text[])
           as again (key, document, organization_id, kind)
     where p.person_key = again.key and p.organization_id = again.organization_id and p.kind = again.kind
       and ${isErasedAndFresh(sql, freshSince)}`
}

type AskedLane = { question: string; organizationId: bigint; kind: Kind }

/** Those of these questions that are about erased people whose purchase is still fresh. */
export const findErasedAgain = async (
  sql: Transaction,
  asked: PendingQuery<AskedLane[]>,
  freshSince: Date,
): Promise<(AskedLane & { key: string })[]> => {
  const kept = await sql<{ organizationId: bigint; kind: Kind; key: string }[]>`
    select p.organization_id, p.kind, p.person_key as key
      from vigia.purchase p
     where ${isErasedAndFresh(sql, freshSince)}`
  if (kept.length === 0) return []
  const nameOf = ({ organizationId, kind, key }: (typeof kept)[number]) => `${organizationId} ${kind} ${key}`
  const known = new Set(kept.map(nameOf))
  const keyOf = await purchaseKeys(sql)
  const again: (AskedLane & { key: string })[] = []
  for await (const rows of asked.cursor(5_000)) {
    again.push(...rows.map((row) => ({ ...row, key: keyOf(row.question) })).filter((row) => known.has(nameOf(row))))
  }
  return again
}

const isErasedAndFresh = (sql: Sql, freshSince: Date) => sql`
  (p.person_key is not null and not p.deleted and (p.bought_at is null or p.bought_at > ${freshSince}))`
