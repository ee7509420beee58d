import type { Sql, Transaction } from '../connect.ts'
import { copyIn } from '../copy.ts'
import { countRows, firstValue, onlyRow } from '../rows.ts'

export type ListedDocument = { place: number; document: string; name: string; ref: string; consent: string }

/** A temporary table for the documents of a file, dropped when the transaction ends. */
export const openListed = (tx: Transaction) => tx`
  create temporary table listed_document (place integer not null, document text collate "C" not null, name text not null,
                                          ref text not null, consent text not null) on commit drop`

export const copyListed = (tx: Transaction, documents: ListedDocument[]): Promise<void> =>
  copyIn(
    tx`copy listed_document (place, document, name, ref, consent) from stdin`,
    documents.map(({ place, document, name, ref, consent }) => [place, document, name, ref, consent]),
  )

/** How the list of the file differs from that of a portfolio, with the first few differences of either side. */
export type ListDifference = {
  documents: number
  added: { count: number; first: string[] }
  removed: { count: number; first: string[] }
}

export const compareListed = (tx: Transaction, portfolioId: bigint): Promise<ListDifference> => {
  const side = (name: 'added' | 'removed') => tx`
    (select json_build_object('count', count(*), 'first', coalesce(json_agg(document order by place) filter (where n <= 20), '[]'))
       from (select *, row_number() over (order by place) as n from ${tx(name)}) as numbered) as ${tx(name)}`
  return onlyRow(tx`
    with listed as (select document, min(place) as place from listed_document group by document),
         kept as (select document, place from vigia.portfolio_document where portfolio_id = ${portfolioId} and removed_at is null),
         added as (select document, place from listed where document not in (select document from kept)),
         removed as (select document, place from kept where document not in (select document from listed))
    select (select count(*)::int from listed) as documents, ${side('added')}, ${side('removed')}`)
}

/** Replaces the list of the portfolio. The figures of a removed document stay until a run has reported the removal. */
export const takeListed = async (tx: Transaction, portfolioId: bigint, now: Date): Promise<void> => {
  await tx`
    insert into vigia.portfolio_document as kept (portfolio_id, document, place, name, ref, consent, added_at)
    select distinct on (document) ${portfolioId}, document, place, name, ref, consent, ${now}::timestamptz
      from listed_document
     order by document, place
        on conflict (portfolio_id, document) do update
       set place = excluded.place, name = excluded.name, ref = excluded.ref, consent = excluded.consent,
           removed_at = null,
           added_at = case when kept.removed_at is null then kept.added_at else excluded.added_at end`
  await tx`
    update vigia.portfolio_document set removed_at = ${now}
     where portfolio_id = ${portfolioId} and removed_at is null
       and document not in (select document from listed_document)`
  await tx`delete from vigia.portfolio_document where portfolio_id = ${portfolioId} and removed_at is not null and first_run is null`
}

/** Adds single documents at the end of the list, and returns how many are new in it. */
export const addDocuments = (sql: Sql, portfolioId: bigint, documents: string[], now: Date): Promise<number> =>
  countRows(sql`
    insert into vigia.portfolio_document as kept (portfolio_id, document, place, added_at)
    select ${portfolioId}, document, (select coalesce(max(place), 0) from vigia.portfolio_document where portfolio_id = ${portfolioId}) + n, ${now}
      from (select distinct on (document) document, n from unnest(${documents}::text[]) with ordinality as u (document, n) order by document) as given
        on conflict (portfolio_id, document) do update set removed_at = null, added_at = excluded.added_at
     where kept.removed_at is not null`)

/** Takes documents off the list, and returns how many were in it. */
export const removeDocuments = async (
  sql: Sql,
  portfolioId: bigint,
  documents: string[],
  now: Date,
): Promise<number> => {
  const { count } = await sql`
    update vigia.portfolio_document set removed_at = ${now}
     where portfolio_id = ${portfolioId} and removed_at is null and document = any(${documents}::text[])`
  await sql`delete from vigia.portfolio_document where portfolio_id = ${portfolioId} and removed_at is not null and first_run is null`
  return count
}

export const countDocuments = (sql: Sql, portfolioId: bigint): Promise<number> =>
  firstValue(sql`
    select count(*)::int as documents from vigia.portfolio_document where portfolio_id = ${portfolioId} and removed_at is null`)

/** The documents to ask about, in the order of their file. */
export async function* streamDocuments(sql: Sql, portfolioId: bigint): AsyncGenerator<Omit<ListedDocument, 'place'>[]> {
  yield* sql<Omit<ListedDocument, 'place'>[]>`
    select document, name, ref, consent
      from vigia.portfolio_document
     where portfolio_id = ${portfolioId} and removed_at is null
     order by place, document`.cursor(2_000)
}
