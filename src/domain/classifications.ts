/** The keys of a risk summary, in the interface's order. (Interface 2.5) */
export const classifications = [
  'ALL',
  'ISDEFENDANT',
  'ISDEFENDANT_WITH_RISK',
  'ISAUTHOR',
  'ISAUTHOR_WITH_RISK',
  'RISK_PROTEST',
  'RISK_WORKER',
  'WORKER_WITH_RISK',
  'RISK_DEBTOR',
  'RISK_EXECUTION',
  'RISK_CRIMINAL',
  'CRIMINAL_WITH_RISK',
  'EXECUTION_WITH_RISK',
  'IS_ACTIVE_WITHOUT_RISK',
  'IS_ACTIVE_WITH_RISK',
  'IS_INACTIVE_WITHOUT_RISK',
  'IS_INACTIVE_WITH_RISK',
  'PERSON_NOT_CLASSIFIED',
  'PERSON_NOT_CLASSIFIED_WITH_RISK',
  'LITIGATION',
] as const

export type Classification = (typeof classifications)[number]

/**
 * One entry per classification, in that order; null where the registry sent none.
 *
 * Amounts arrive as text of unknown form: the text is kept, and counted in integer cents where it can be read.
 * A classification that the interface does not list is kept under `others`.
 */
export type RiskSummary = {
  counts: (number | null)[]
  amounts: (string | null)[]
  cents: (bigint | null)[]
  others: Record<string, { count: number | null; amount: string | null }>
}

/** Whether a class means risk: those with risk, and the registers of debts, claims and enforcement. */
export const isRiskClass = (key: Classification): boolean => /(?<!WITHOUT_)RISK/.test(key)
/** An answer at a glance: something that the registry calls a risk, lawsuits without one, or none at all. */
export const riskLevels = ['risk', 'lawsuits', 'clear'] as const
export type RiskLevel = (typeof riskLevels)[number]

/** How far the searches of an answer are that the registry makes by themselves; null where it did not say. */
export type SearchStatuses = { protestStatus: string | null; debtorStatus: string | null }

/** A search without a status counts as made: earlier answers have none. SQL has the same rule (`vigia.is_searched`). */
export const isSearched = (status: string | null): boolean => status === null || status === 'DONE'

/** The classes whose own search was not finished: a zero in them means nothing. */
export const notSearched = ({ protestStatus, debtorStatus }: SearchStatuses): Classification[] => [
  ...(isSearched(protestStatus) ? [] : (['RISK_PROTEST'] as const)),
  ...(isSearched(debtorStatus) ? [] : (['RISK_DEBTOR'] as const)),
]

/** Figures in the order of the classes; a zero of a class that was not searched is no figure. */
export const withoutUnsearched = <Figure extends number | bigint>(
  figures: readonly (Figure | null)[],
  statuses: SearchStatuses,
): (Figure | null)[] => {
  const places = notSearched(statuses).map((key) => classifications.indexOf(key))
  return figures.map((figure, at) => (places.includes(at) && !(figure !== null && figure > 0) ? null : figure))
}
