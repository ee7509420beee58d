import type { DocumentType } from '../../domain/document.ts'
import type { Kind } from '../../domain/kind.ts'
import type { Sql, Transaction } from '../connect.ts'
import { type Cell, copyIn, isTaken } from '../copy.ts'
import { historyLine } from '../messages.ts'
import { allValues, firstValue } from '../rows.ts'
import { isDeleted, isSent } from './intents.ts'
import { keepOwned } from './lookups.ts'

/** One question for the registry: a bare document, or a process number. */
export type Question = { question: string; documentType: DocumentType | null; label: string | null }

export type Asking = {
  organizationId: number
  kind: Kind
  batchId: bigint
  freshSince: Date
  deadlineAt: Date
  now: Date
}

/**
 * `made`: this batch asks it. `payable`: and will pay for it, or may have to, because the batch that asks it cannot. The
 * caller then writes its rows and calls `assignPayers`.
 */
export type Asked = { id: bigint; question: string; made: boolean; payable: boolean }

/**
 * Gives each question its look-up: an open or fresh one is shared, any other is superseded by a new one.
 *
 * If two importers meet, the unique index on the current look-up of a question decides. What was bought inside the
 * freshness window and never answered is not bought again: its successor continues to wait for the answer.
 */
export const askLookups = async (sql: Sql, questions: Question[], asking: Asking): Promise<Asked[]> => {
  const asked = await insertNew(sql, questions, asking)
  const known = new Set(asked.map(({ question }) => question))
  const rest = questions.filter(({ question }) => !known.has(question))
  return [...asked, ...(await askAgain(sql, rest, asking))]
}

const askAgain = async (sql: Sql, questions: Question[], asking: Asking): Promise<Asked[]> => {
  if (questions.length === 0) return []
  const superseded = await supersede(sql, questions, asking)
  const stale = new Set(superseded.map(({ question }) => question))
  const heirs = superseded.filter(({ inherits }) => inherits)
  await keepOwned(
    sql,
    superseded.filter(({ inherits }) => !inherits).map(({ id }) => id),
  )
  const inherited = new Set(heirs.map(({ question }) => question))
  const fresh = questions.filter(({ question }) => stale.has(question) && !inherited.has(question))
  const asked = [...(await insertNew(sql, fresh, asking)), ...(await insertHeirs(sql, heirs, asking))]
  const known = new Set(asked.map(({ question }) => question))
  const shared = await shareCurrent(
    sql,
    questions.filter(({ question }) => !known.has(question)),
    asking,
  )
  return [...asked, ...shared]
}

const insertNew = async (sql: Sql, questions: Question[], asking: Asking): Promise<Asked[]> => {
  if (questions.length === 0) return []
  const { organizationId, kind, batchId, deadlineAt, now } = asking
  const rows = await sql<{ id: bigint; question: string }[]>`
    insert into vigia.lookup (organization_id, kind, question, document_type, label, batch_id, due_at, deadline_at, asked_at)
    select ${organizationId}, ${kind}, question, document_type, label, ${batchId}, ${now}, ${deadlineAt}, ${now}
      from unnest(${questions.map((q) => q.question)}::text[],
                  ${questions.map((q) => q.documentType)}::text[],
                  ${questions.map((q) => q.label)}::text[]) as asked (question, document_type, label)
     order by question
        on conflict (question, kind, organization_id) where current do nothing
    returning id, question`
  return rows.map((row) => ({ ...row, made: true, payable: true }))
}

type Superseded = { id: bigint; question: string; inherits: boolean }

const supersede = (sql: Sql, questions: Question[], { organizationId, kind, freshSince }: Asking) => sql<Superseded[]>`
  update vigia.lookup l
     set current = false
   where question = any(${questions.map((q) => q.question)}::text[])
     and kind = ${kind} and organization_id = ${organizationId} and current
     and not vigia.is_shared(l, ${freshSince})
  returning id, question, vigia.is_bought(l, ${freshSince}) and not ${isDeleted(sql)} as inherits`

/** What the same batch bought stays its purchase: the charge passes to the successor. */
const insertHeirs = async (sql: Sql, heirs: Superseded[], asking: Asking): Promise<Asked[]> => {
  if (heirs.length === 0) return []
  const { batchId, deadlineAt, now } = asking
  const ids = heirs.map(({ id }) => id)
  const rows = await sql<{ id: bigint; question: string }[]>`
    insert into vigia.lookup (organization_id, kind, question, document_type, label, batch_id, heir_of, state, due_at,
                        deadline_at, asked_at, sending_at, adopted_at, remote_id, remote_key, charged, message, trace,
                        registry_name, estimated, previous_id)
    select organization_id, kind, question, document_type, label, ${batchId}, id, 'waiting', ${now},
           ${deadlineAt}, ${now}, sending_at, adopted_at, remote_id, remote_key,
           case when batch_id = ${batchId} then charged else 'no' end,
           case when vigia.is_bought_elsewhere(lookup) then message end,
           array[${historyLine(now, ['inherited'])}], registry_name, estimated, previous_id
      from vigia.lookup
     where id = any(${ids}::bigint[])
     order by question
        on conflict (question, kind, organization_id) where current do nothing
    returning id, question`
  await sql`update vigia.lookup set charged = 'no' where id = any(${ids}::bigint[]) and batch_id = ${batchId}`
  return rows.map((row) => ({ ...row, made: true, payable: false }))
}

/** One that its own batch cancelled while we waited for it is asked again. */
const shareCurrent = async (sql: Sql, questions: Question[], asking: Asking): Promise<Asked[]> => {
  if (questions.length === 0) return []
  const { organizationId, kind, batchId } = asking
  const wanted = questions.map((q) => q.question)
  await lockQueued(sql, wanted, asking)
  const found = await sql<{ id: bigint; question: string; lost: boolean; payable: boolean }[]>`
    select l.id, l.question, l.state in ('over_budget', 'cancelled') as lost,
           l.state = 'queued' and l.batch_id <> ${batchId} and vigia.may_pay(b) is not true and not ${isSent(sql)} as payable
      from vigia.lookup l
      left join vigia.batch b on b.id = l.batch_id
     where l.question = any(${wanted}::text[])
       and l.kind = ${kind} and l.organization_id = ${organizationId} and l.current`
  const lost = new Set(found.filter((row) => row.lost).map(({ question }) => question))
  const again = questions.filter(({ question }) => lost.has(question))
  const shared = found.filter((row) => !row.lost)
  return [
    ...shared.map(({ id, question, payable }) => ({ id, question, made: false, payable })),
    ...(await askAgain(sql, again, asking)),
  ]
}

/** A transaction that cancels the asking batch waits until our rows are written, and then leaves these look-ups to us. */
const lockQueued = (sql: Sql, wanted: string[], { organizationId, kind }: Asking) => sql`
  select id
    from vigia.lookup
   where question = any(${wanted}::text[])
     and kind = ${kind} and organization_id = ${organizationId} and current and state = 'queued'
   order by id
     for share`

/** A new question with the id of its look-up, and that look-up as COPY reads it. */
type NewLookup = { id: bigint; question: string; cells: Cell[] }

/** Leaves out questions that have a look-up: `askLookups` decides about those. Keeps the order of the questions. */
export const draftLookups = async (tx: Transaction, questions: Question[], asking: Asking): Promise<NewLookup[]> => {
  const known = await findKnown(tx, questions, asking)
  const fresh = questions.filter(({ question }) => !known.has(question)).sort(byQuestion)
  const ids = fresh.length > 0 ? await takeIds(tx, fresh.length) : []
  const { organizationId, kind, batchId } = asking
  const [now, deadlineAt] = [asking.now.toISOString(), asking.deadlineAt.toISOString()]
  return fresh.map(({ question, documentType, label }, i) => {
    const id = ids[i]!
    const cells = [organizationId, kind, batchId, now, deadlineAt, now, id, question, documentType, label]
    return { id, question, cells }
  })
}

/**
 * Inserts the look-ups: all, or none if another import asks one of them at the same time.
 *
 * COPY takes two thirds of the time of an insert that checks for conflicts, which counts in a file of a million rows. They
 * are inserted in the order of their questions, so that no two imports wait for each other.
 */
export const copyLookups = async (tx: Transaction, drafts: NewLookup[]): Promise<NewLookup[]> => {
  const rows = drafts.map(({ cells }) => cells)
  try {
    await tx.savepoint((part) => copyIn(part`copy vigia.lookup ${columns(part)} from stdin`, rows))
    return drafts
  } catch (error) {
    if (!isTaken(error, 'lookup_current')) throw error
    return []
  }
}

const columns = (tx: Transaction) => tx`
  (organization_id, kind, batch_id, due_at, deadline_at, asked_at, id, question, document_type, label)`

const findKnown = async (tx: Transaction, questions: Question[], asking: Asking): Promise<Set<string>> => {
  const known = allValues<string>(tx`
    select question
      from vigia.lookup
     where question = any(${questions.map(({ question }) => question)}::text[])
       and kind = ${asking.kind} and organization_id = ${asking.organizationId} and current`)
  return new Set(await known)
}

const takeIds = async (tx: Transaction, count: number): Promise<bigint[]> => {
  const ids = await firstValue<string>(tx`
    select string_agg(nextval('vigia.lookup_id_seq')::text, ' ') from generate_series(1, ${count}::int)`)
  return ids.split(' ').map(BigInt)
}

/** By the codes of their characters, as the index orders them. */
const byQuestion = (a: Question, b: Question): number =>
  a.question < b.question ? -1 : a.question > b.question ? 1 : 0
