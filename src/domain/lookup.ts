import type { Message } from '../messages/message.ts'
import { type Document, type DocumentType, documentTypeOf } from './document.ts'
import type { Kind } from './kind.ts'

export const openStates = ['queued', 'sending', 'waiting'] as const

export const finalStates = [
  'ok',
  'not_found',
  'invalid_document',
  'plan_blocked',
  'denied',
  'failed',
  'timed_out',
  'unknown_outcome',
  'cancelled',
  'over_budget',
] as const

export type OpenState = (typeof openStates)[number]
export type FinalState = (typeof finalStates)[number]
export type LookupState = OpenState | FinalState
export type Charge = 'no' | 'yes' | 'unknown'

/** States in which the registry answered about the document; the rest are look-ups without an answer. */
export const answeredStates: readonly LookupState[] = ['ok', 'not_found', 'invalid_document']

/** The registry's identifiers for what was bought: an analysis has two, a CNH request one. */
export type Remote = { id: string; key: string | null }

/** A look-up as a job receives it: what is asked, for whom, and how far it has come. */
export type Lookup = {
  id: bigint
  organizationId: number
  kind: Kind
  question: string
  documentType: DocumentType | null
  label: string | null
  state: OpenState
  attempts: number
  polls: number
  deadlineAt: Date
  sendingAt: Date | null
  unlistedAt: Date | null
  /** The state of a refused paid call once the purchase list shows no purchase. */
  refusedAs: FinalState | 'queued' | null
  /** Why it made no progress the last time. */
  reason: Message | null
  /** The newest list snapshot when its intent was recorded. */
  listSnapshotId: bigint | null
  remote: Remote | null
  charged: Charge
}

/** The document of a look-up, in the form that the registry expects. */
export const documentOf = ({ question, documentType }: Pick<Lookup, 'question' | 'documentType'>): Document => ({
  type: documentType ?? documentTypeOf(question),
  number: question,
})

/** On whose behalf the registry is asked: every call names an organization, most also its holder and plan. */
export type Account = { organizationId: number; holderId: number; planId: number }

/** Replaces the document of an erased person, with the number of the look-up. */
export const erasedText = 'erased:'

/** How long after its deadline a waiting look-up may still make the last poll, which is due at the deadline. */
export const lastPollMs = 2_000
