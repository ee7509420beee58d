import type { ShownState } from '../../domain/batch.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Database, Sql, Transaction } from '../connect.ts'
import { copyIn } from '../copy.ts'
import { isDeleted, isSent } from '../lookups/intents.ts'
import { findErasedAgain, isAdoptable } from '../purchases/adopt-bought.ts'
import { firstRow, firstValue, onlyRow } from '../rows.ts'
import { takes } from './batch-actions.ts'
import { answersFor, type Wanted } from './batches.ts'

/** A temporary table for questions, dropped when the transaction ends: a quote leaves nothing behind. */
export const openQuestions = (tx: Transaction) => tx`
  create temporary table asked_question (question text collate "C" not null) on commit drop`

export const copyQuestions = (tx: Transaction, questions: string[]): Promise<void> =>
  copyIn(
    tx`copy asked_question (question) from stdin`,
    questions.map((question) => [question]),
  )

/** How the questions of a file would be answered: each document is in one of these counts, `documents` is all of them. */
export type QuestionCounts = {
  documents: number
  fresh: number
  shared: number
  bought: number
  parked: number
  /** Bought by the organization itself, outside of Vigia: adopted, not bought. */
  elsewhere: number
  toBeAsked: number
}

/** `adopts`: whether what was bought elsewhere is adopted; since `freshSince` in both cases. */
type Quoting = { organizationId: number; kind: Kind; freshSince: Date; adopts: boolean }

/** Counts how the questions would be answered, without asking them. */
export const countQuestions = async (tx: Transaction, quoting: Quoting): Promise<QuestionCounts> => {
  await tx`analyze asked_question`
  const again = await askedAgain(tx, quoting)
  return onlyRow(tx`
    select count(*)::int as documents,
           (count(*) filter (where meets = 'fresh'))::int as fresh,
           (count(*) filter (where meets = 'shared'))::int as shared,
           (count(*) filter (where meets = 'bought'))::int as bought,
           (count(*) filter (where meets = 'parked'))::int as parked,
           (count(*) filter (where meets = 'nothing' and elsewhere))::int as elsewhere,
           (count(*) filter (where meets = 'nothing' and not elsewhere))::int as to_be_asked
      from (${judged(tx, quoting, again)}) as judged`)
}

/**
 * How many of these documents a new batch may come to pay for: those that no batch asks for, and those that another batch
 * asks for and has not bought, because it may still be cancelled.
 */
export const countPayable = (sql: Database, documents: string[], quoting: Quoting): Promise<number> =>
  sql.begin(async (tx) => {
    await openQuestions(tx)
    await copyQuestions(tx, documents)
    await tx`analyze asked_question`
    const again = await askedAgain(tx, quoting)
    return firstValue<number>(tx`
      select (count(*) filter (where (meets = 'nothing' and not elsewhere) or (meets = 'shared' and unbought)))::int as units
        from (${judged(tx, quoting, again)}) as judged`)
  })

/** Questions about people who were erased: purchases for them are adopted again. */
const askedAgain = async (tx: Transaction, { organizationId, kind, freshSince }: Quoting): Promise<string[]> => {
  const asked = tx<{ question: string; organizationId: bigint; kind: Kind }[]>`
    select question, ${organizationId}::bigint as organization_id, ${kind}::text as kind from asked_question`
  return (await findErasedAgain(tx, asked, freshSince)).map(({ question }) => question)
}

/**
 * Decides each question as `askLookups` would.
 *
 * `assignPayers` would give a queued look-up of a batch that cannot pay for it to the new batch.
 */
const judged = (tx: Transaction, { organizationId, kind, freshSince, adopts }: Quoting, again: string[]) => tx`
  select case
           when l.id is null then 'nothing'
           when l.state = 'queued' and vigia.may_pay(b) is not true and not ${isSent(tx)} then 'nothing'
           when l.finished_at is null then 'shared'
           when l.state = 'unknown_outcome' then 'parked'
           when vigia.is_fresh(l, ${freshSince}) then 'fresh'
           when vigia.is_bought(l, ${freshSince}) and not ${isDeleted(tx)} then 'bought'
           else 'nothing'
         end as meets,
         l.remote_id is null as unbought,
         asked.question = any(${again}::text[])
           or ${adopts} and exists (select from vigia.purchase p
                                where p.document = asked.question and p.kind = ${kind}
                                  and p.organization_id = ${organizationId}
                                  and ${isAdoptable(tx, freshSince)}) as elsewhere
    from (select distinct question from asked_question) as asked
    left join vigia.lookup l on l.question = asked.question and l.kind = ${kind}
                      and l.organization_id = ${organizationId} and l.current
    left join vigia.batch b on b.id = l.batch_id`

/** The batch that answers for the same bytes already, and how many of its own look-ups it has not begun. */
export type KnownBatch = {
  id: bigint
  state: ShownState
  /** It needs approval, paused or not. */
  unconfirmed: boolean
  importedAt: Date | null
  finishedAt: Date | null
  spent: number
  maxSpend: number | null
  queued: number
}

export const findBatchOfBytes = (
  sql: Sql,
  { organizationId, kind, sha256, ...wanted }: { organizationId: number; kind: Kind; sha256: string } & Wanted,
): Promise<KnownBatch | null> =>
  firstRow(sql`
    select b.id, vigia.shown_state(b) as state, ${takes(sql, 'confirm')} as unconfirmed, b.imported_at, b.finished_at,
           b.spent, b.max_spend, (${ownQueued(sql)})::int as queued
      from vigia.batch b
      join vigia.file f on f.id = b.file_id
     where f.sha256 = ${sha256} and b.organization_id = ${organizationId} and b.kind = ${kind} and b.current
       and ${answersFor(sql, wanted)}`)

/** How many look-ups of its own batch `b` has not begun; a call under way is begun, and counted as spent. */
export const ownQueued = (sql: Sql) => sql`
  select count(*) from vigia.lookup l
   where l.batch_id = b.id and l.kind = b.kind and l.state = 'queued' and not ${isSent(sql)}`
