import type { Account } from '../../domain/account.ts'
import { type Kind, kinds } from '../../domain/kind.ts'

/** A folder of the inbox, and what is asked with a file that is dropped there. */
export type Place = {
  /** Below the inbox; empty for the inbox itself. */
  folder: string
  organizationId: number
  kind: Kind
  /** Made at the start, so that people see it, and watched. */
  shown: boolean
}

/** The inbox itself and a folder per kind are the first organization's; the others have a folder each, by their number. */
export const placesIn = (accounts: readonly Account[]): Place[] => {
  const [first] = accounts
  if (!first) return []
  const own = placesOf('', first, true)
  return [...own, ...accounts.flatMap((account) => placesOf(`${account.organizationId}/`, account, false))]
}

const placesOf = (above: string, { organizationId }: Account, shown: boolean): Place[] => [
  { folder: above.slice(0, -1), organizationId, kind: 'analysis', shown },
  ...kinds.map((kind) => ({ folder: `${above}${kind}`, organizationId, kind, shown })),
]
