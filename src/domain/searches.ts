import { type Classification, classifications } from './classifications.ts'

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
