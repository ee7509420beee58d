import type { Sql } from '../../../../src/store/connect.ts'
import type { Asked, Asking, Question } from '../../../../src/store/lookups/ask-lookups.ts'
import { changeLookup, insertLookup } from '../change-lookup.ts'
import type { ModelDatabase } from '../database.ts'
import { on } from '../handle.ts'
import { byId, byText, isBought, isBoughtElsewhere, isShared, mayPay } from '../rules.ts'
import type { LookupRecord } from '../tables.ts'
import { isDeletedPurchase } from './intents.ts'
import { keepOwnedIn } from './lookups.ts'

export const askLookups = (sql: Sql, questions: Question[], asking: Asking): Promise<Asked[]> =>
  on(sql, (database) => ask(database, questions, asking))

const ask = (database: ModelDatabase, questions: Question[], asking: Asking): Asked[] => {
  const asked = insertNew(database, questions, asking)
  const known = new Set(asked.map(({ question }) => question))
  const rest = questions.filter(({ question }) => !known.has(question))
  return [...asked, ...askAgain(database, rest, asking)]
}

const askAgain = (database: ModelDatabase, questions: Question[], asking: Asking): Asked[] => {
  if (questions.length === 0) return []
  const superseded = supersede(database, questions, asking)
  const heirs = superseded.filter(({ inherits }) => inherits)
  keepOwnedIn(
    database,
    superseded.filter(({ inherits }) => !inherits).map(({ lookup }) => lookup.id),
  )
  const stale = new Set(superseded.map(({ lookup }) => lookup.question))
  const inherited = new Set(heirs.map(({ lookup }) => lookup.question))
  const fresh = questions.filter(({ question }) => stale.has(question) && !inherited.has(question))
  const asked = [
    ...insertNew(database, fresh, asking),
    ...insertHeirs(
      database,
      heirs.map(({ lookup }) => lookup),
      asking,
    ),
  ]
  const known = new Set(asked.map(({ question }) => question))
  const left = questions.filter(({ question }) => !known.has(question))
  return [...asked, ...shareCurrent(database, left, asking)]
}

const currentOf = (
  { tables }: ModelDatabase,
  question: string,
  { organizationId, kind }: Asking,
): LookupRecord | null => {
  for (const l of tables.lookups.values()) {
    if (l.current && l.question === question && l.kind === kind && l.organizationId === organizationId) return l
  }
  return null
}

const insertNew = (database: ModelDatabase, questions: Question[], asking: Asking): Asked[] => {
  const { organizationId, kind, batchId, deadlineAt, now } = asking
  const ordered = questions.toSorted((a, b) => byText(a.question, b.question))
  return ordered.flatMap(({ question, documentType, label }) => {
    // An identity column counts on for a row that meets another, as PostgreSQL does.
    const id = database.nextId()
    if (currentOf(database, question, asking)) return []
    insertLookup(database, {
      ...blank,
      id,
      organizationId,
      kind,
      question,
      documentType,
      label,
      batchId,
      dueAt: now,
      deadlineAt,
      askedAt: now,
    })
    return [{ id, question, made: true, payable: true }]
  })
}

const blank = {
  heirOf: null,
  state: 'queued',
  current: true,
  attempts: 0,
  polls: 0,
  workerDeaths: 0,
  sentAt: null,
  unlistedAt: null,
  refusedAs: null,
  adoptedAt: null,
  snapshotId: null,
  remoteId: null,
  remoteKey: null,
  charged: 'no',
  seen: null,
  message: null,
  asOf: null,
  finishedAt: null,
} as const

type Superseded = { lookup: LookupRecord; inherits: boolean }

const supersede = (database: ModelDatabase, questions: Question[], asking: Asking): Superseded[] =>
  questions.flatMap(({ question }) => {
    const lookup = currentOf(database, question, asking)
    if (!lookup || isShared(lookup, asking.freshSince)) return []
    const inherits = isBought(lookup, asking.freshSince) && !isDeletedPurchase(database, lookup)
    changeLookup(database, lookup, { current: false })
    return [{ lookup, inherits }]
  })

const insertHeirs = (database: ModelDatabase, heirs: LookupRecord[], asking: Asking): Asked[] => {
  const { batchId, deadlineAt, now } = asking
  const ordered = heirs.toSorted((a, b) => byText(a.question, b.question))
  const asked = ordered.flatMap((old): Asked[] => {
    const id = database.nextId()
    if (currentOf(database, old.question, asking)) return []
    insertLookup(database, {
      ...blank,
      id,
      organizationId: old.organizationId,
      kind: old.kind,
      question: old.question,
      documentType: old.documentType,
      label: old.label,
      batchId,
      heirOf: old.id,
      state: 'waiting',
      dueAt: now,
      deadlineAt,
      askedAt: now,
      sentAt: old.sentAt,
      adoptedAt: old.adoptedAt,
      remoteId: old.remoteId,
      remoteKey: old.remoteKey,
      charged: old.batchId === batchId ? old.charged : 'no',
      message: isBoughtElsewhere(old) ? old.message : null,
    })
    return [{ id, question: old.question, made: true, payable: false }]
  })
  for (const old of heirs) if (old.batchId === batchId) changeLookup(database, old, { charged: 'no' })
  return asked
}

const shareCurrent = (database: ModelDatabase, questions: Question[], asking: Asking): Asked[] => {
  if (questions.length === 0) return []
  const { batches, intents } = database.tables
  const wanted = questions.flatMap(({ question }) => currentOf(database, question, asking) ?? []).sort(byId)
  const isLost = ({ state }: LookupRecord): boolean => state === 'over_budget' || state === 'cancelled'
  const isPayable = ({ id, state, batchId }: LookupRecord): boolean =>
    state === 'queued' && batchId !== asking.batchId && !mayPay(batches.get(batchId)) && !intents.has(id)
  const lost = new Set(wanted.filter(isLost).map(({ question }) => question))
  return [
    ...wanted
      .filter((lookup) => !isLost(lookup))
      .map((lookup) => ({ id: lookup.id, question: lookup.question, made: false, payable: isPayable(lookup) })),
    ...askAgain(
      database,
      questions.filter(({ question }) => lost.has(question)),
      asking,
    ),
  ]
}
