import type { Transaction } from '../connect.ts'
import { type Cell, copyIn, isTaken } from '../copy.ts'
import type { Asking, Question } from './ask-lookups.ts'

/** A question that nobody asked before, with the id that its look-up will have, and that look-up as COPY reads it. */
type NewLookup = { id: bigint; question: string; cells: Cell[] }

/** What has a look-up already is left out: `askLookups` decides about that. In the order of the questions. */
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
 * Asks them, and gives those that it asked: all, or none where another import asks one of them at this moment.
 *
 * COPY costs two thirds of an insert that looks out for conflicts, which counts in a file of a million rows. They go in
 * the order of their questions, so that no two imports wait for each other.
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
  const rows = await tx<{ question: string }[]>`
    select question
      from vigia.lookup
     where question = any(${questions.map(({ question }) => question)}::text[])
       and kind = ${asking.kind} and organization_id = ${asking.organizationId} and current`
  return new Set(rows.map(({ question }) => question))
}

const takeIds = async (tx: Transaction, count: number): Promise<bigint[]> => {
  const [row] = await tx<{ ids: string }[]>`
    select string_agg(nextval('vigia.lookup_id_seq')::text, ' ') as ids from generate_series(1, ${count}::int)`
  return row!.ids.split(' ').map(BigInt)
}

/** By the codes of their characters, as the index has them. */
const byQuestion = (a: Question, b: Question): number =>
  a.question < b.question ? -1 : a.question > b.question ? 1 : 0
