import type { Transaction } from '../connect.ts'
import { type Cell, copyIn, isTaken } from '../copy.ts'
import type { Asking, Question } from './ask-lookups.ts'

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

/** By the codes of their characters, as the index orders them. */
const byQuestion = (a: Question, b: Question): number =>
  a.question < b.question ? -1 : a.question > b.question ? 1 : 0
