import { z } from 'zod'
import { priceOf, type UnitPrices, withinLimit } from '../domain/amount.ts'
import { inEnglish, type Message } from '../messages/message.ts'
import { type SweepName, sweepNames } from '../store/radars/sweeps.ts'
import { price } from './fields.ts'

const name = z.enum(sweepNames)
const analysesToBuy = z
  .int()
  .describe('at most, if every figure moves: within `budget.perBatch` for each organization, and `budget.perDay`')

/** What a sweep would buy now, at most. */
export const sweepQuote = z.object({ name, analysesToBuy, price })
export type SweepQuote = z.output<typeof sweepQuote>

const organizationPreview = z.object({
  organization: z.int(),
  listed: z.int().describe('how many radars the registry lists'),
  known: z.int().describe('how many the local copy has'),
  missing: z.int().describe('known and not listed'),
  suspicion: z.string().nullable().describe('why the list would be rejected'),
  toLookAt: z.int(),
  analysesDue: z.int().describe('analyses that are missing or too old'),
  analysesMoved: z.int().describe('radars of which a free figure is known to have moved since their analysis'),
  analysesIfMoved: z.int().describe('radars that get a new analysis if a free figure turns out to have moved'),
  analysesToBuy,
  price,
})

/** What a sweep would do now; its name decides which of the last keys are present. */
export const sweepPreview = z.object({
  dryRun: z.literal(true),
  ...sweepQuote.shape,
  organizations: z.array(organizationPreview).optional(),
  batches: z.int().optional().describe('how many would be deleted'),
  lookups: z.int().optional().describe('how many would be deleted'),
  wouldRead: z.union([z.int().describe('organizations'), z.string()]).optional(),
})
export type SweepPreview = z.output<typeof sweepPreview>

/** What a radar sweep would find for one organization. */
export type FoundRadars = Pick<
  z.output<typeof organizationPreview>,
  'listed' | 'known' | 'missing' | 'toLookAt' | 'analysesDue' | 'analysesMoved' | 'analysesIfMoved'
> & { organizationId: number; suspicion: Message | null }

type Found = { organizations: FoundRadars[] } | { batches: number; lookups: number } | { wouldRead: number | string }

type Budget = { perBatch: number | null; leftToday?: number | null; unitPrice: UnitPrices | null }
type Wanted = Pick<FoundRadars, 'analysesDue' | 'analysesMoved' | 'analysesIfMoved'>

export const toSweepQuoteView = (sweep: SweepName, found: readonly Wanted[], budget: Budget): SweepQuote => {
  const wanted = found.reduce((sum, each) => sum + affordableOf(each, budget), 0)
  const toBuy = withinLimit(wanted, budget.leftToday ?? null)
  return { name: sweep, analysesToBuy: toBuy, price: priceOf(budget.unitPrice, 'analysis', toBuy) }
}

export const toSweepPreviewView = (sweep: SweepName, found: Found, budget: Budget): SweepPreview => {
  const radars = 'organizations' in found ? found.organizations : []
  const shown =
    'organizations' in found ? { organizations: radars.map((each) => toFoundRadarsView(each, budget)) } : found
  return { dryRun: true, ...toSweepQuoteView(sweep, radars, budget), ...shown }
}

/** The analyses of an organization are one batch of the sweep, with the limit of any batch. */
const affordableOf = ({ analysesDue, analysesMoved, analysesIfMoved }: Wanted, { perBatch }: Budget): number =>
  withinLimit(analysesDue + analysesMoved + analysesIfMoved, perBatch)

const toFoundRadarsView = (found: FoundRadars, budget: Budget): z.output<typeof organizationPreview> => {
  const toBuy = affordableOf(found, budget)
  return {
    organization: found.organizationId,
    listed: found.listed,
    known: found.known,
    missing: found.missing,
    suspicion: found.suspicion && inEnglish(found.suspicion),
    toLookAt: found.toLookAt,
    analysesDue: found.analysesDue,
    analysesMoved: found.analysesMoved,
    analysesIfMoved: found.analysesIfMoved,
    analysesToBuy: toBuy,
    price: priceOf(budget.unitPrice, 'analysis', toBuy),
  }
}
