import { z } from 'zod'
import { maskDocument } from '../domain/document.ts'
import { masked } from './fields.ts'

const some = z.object({ count: z.int(), first: z.array(masked) })

/** The effect of a list on a portfolio, with the first added and removed documents, masked. */
export const portfolioList = z.object({
  documents: z.int(),
  rows: z.int(),
  rejected: z.int(),
  rejects: z.record(z.string(), z.int()),
  added: some,
  removed: some,
})
export type PortfolioList = z.output<typeof portfolioList>

/** Gets unmasked documents. */
export const toPortfolioListView = (list: PortfolioList): PortfolioList => {
  const { documents, rows, rejected, rejects, added, removed } = list
  return { documents, rows, rejected, rejects, added: firstMasked(added), removed: firstMasked(removed) }
}

const firstMasked = ({ count, first }: { count: number; first: string[] }) => ({
  count,
  first: first.map(maskDocument),
})
