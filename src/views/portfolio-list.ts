import { z } from 'zod'
import { maskDocument } from '../domain/document.ts'
import { masked } from './fields.ts'

const some = z.object({ count: z.int(), first: z.array(masked) })

/** What a list makes of a portfolio: the first of those who came and went, masked. */
export const portfolioList = z.object({
  documents: z.int(),
  rows: z.int(),
  rejected: z.int(),
  rejects: z.record(z.string(), z.int()),
  added: some,
  removed: some,
})
export type PortfolioList = z.output<typeof portfolioList>

/** Told of documents that are whole. */
export const toPortfolioListView = (list: PortfolioList): PortfolioList => {
  const { documents, rows, rejected, rejects, added, removed } = list
  return { documents, rows, rejected, rejects, added: firstMasked(added), removed: firstMasked(removed) }
}

const firstMasked = ({ count, first }: { count: number; first: string[] }) => ({
  count,
  first: first.map(maskDocument),
})
