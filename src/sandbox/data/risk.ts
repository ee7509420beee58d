import { type Classification, classifications } from '../../domain/classifications.ts'
import { draws, hash, integerBetween } from './hash.ts'
import { type Epoch, type Lawsuit, lawsuitsOf, versionOf } from './lawsuits.ts'

type Figure = { count: number; cents: number }

/** Overrides for a document's own data: complete figures per classification, and its number of processes. */
export type PlantedRisk = {
  figures?: Partial<Record<Classification, Figure>>
  processes?: number
  /** Of the list of analyses; 0 unless planted. */
  totals?: { risk: number; analyzed: number }
  /** Entries of the summary as they are sent: null, of another type, or of a classification that the interface lacks. */
  entries?: Record<string, unknown>
  /** Classifications that the summary leaves out. */
  missing?: readonly string[]
}

/** A summary as it is sent: the total value is text, in one of two conventions. (Interface 2.5) */
type WireSummary = Record<Classification, { vltotalProcess: string; totalProcess: number }>

export const summaryOf = (document: string, epoch: Epoch, planted?: PlantedRisk): WireSummary => {
  const figures = figuresOf(document, epoch)
  const style = hash(`${document} style`, epoch.seed)
  const summary = {} as WireSummary
  for (const [i, key] of classifications.entries()) {
    const { count, cents } = planted?.figures?.[key] ?? figures[key]
    const brazilian = ((style >>> (i % 16)) & 1) === 1
    summary[key] = { vltotalProcess: amountText(cents, brazilian), totalProcess: count }
  }
  const sent = Object.entries({ ...summary, ...planted?.entries })
  return Object.fromEntries(sent.filter(([key]) => !planted?.missing?.includes(key))) as WireSummary
}

/** While an analysis is not finished all its figures are zero, as if nothing had been found. */
export const emptySummary: WireSummary = Object.fromEntries(
  classifications.map((key) => [key, { vltotalProcess: '0.00', totalProcess: 0 }]),
) as WireSummary

export const processCountOf = (document: string, epoch: Epoch, planted?: PlantedRisk): number =>
  planted?.processes ?? lawsuitsOf(document, epoch).length

/** Every figure is a sum over the same lawsuits, so that parts always add up to their total. */
export const figuresOf = (document: string, epoch: Epoch): Record<Classification, Figure> => {
  const suits = lawsuitsOf(document, epoch)
  const figures = {} as Record<Classification, Figure>
  for (const key of classifications)
    figures[key] = isLawsuitKey(key) ? total(suits, members[key]) : registers(key, document, epoch)
  return figures
}

type RegisterKey = 'RISK_PROTEST' | 'RISK_DEBTOR'
type LawsuitKey = Exclude<Classification, RegisterKey>

const isLawsuitKey = (key: Classification): key is LawsuitKey => key !== 'RISK_PROTEST' && key !== 'RISK_DEBTOR'

const members: Record<LawsuitKey, (suit: Lawsuit) => boolean> = {
  ALL: () => true,
  ISDEFENDANT: (suit) => suit.role === 'defendant',
  ISDEFENDANT_WITH_RISK: (suit) => suit.role === 'defendant' && suit.risk,
  ISAUTHOR: (suit) => suit.role === 'author',
  ISAUTHOR_WITH_RISK: (suit) => suit.role === 'author' && suit.risk,
  RISK_WORKER: (suit) => suit.matter === 'labour',
  WORKER_WITH_RISK: (suit) => suit.matter === 'labour' && suit.risk,
  RISK_EXECUTION: (suit) => suit.matter === 'execution',
  EXECUTION_WITH_RISK: (suit) => suit.matter === 'execution' && suit.risk,
  RISK_CRIMINAL: (suit) => suit.matter === 'criminal',
  CRIMINAL_WITH_RISK: (suit) => suit.matter === 'criminal' && suit.risk,
  IS_ACTIVE_WITHOUT_RISK: (suit) => suit.active && !suit.risk,
  IS_ACTIVE_WITH_RISK: (suit) => suit.active && suit.risk,
  IS_INACTIVE_WITHOUT_RISK: (suit) => !suit.active && !suit.risk,
  IS_INACTIVE_WITH_RISK: (suit) => !suit.active && suit.risk,
  PERSON_NOT_CLASSIFIED: (suit) => suit.role === 'unclassified',
  PERSON_NOT_CLASSIFIED_WITH_RISK: (suit) => suit.role === 'unclassified' && suit.risk,
  LITIGATION: (suit) => suit.matter !== 'execution',
}

const total = (suits: Lawsuit[], belongs: (suit: Lawsuit) => boolean): Figure => {
  let count = 0
  let cents = 0
  for (const suit of suits) {
    if (!belongs(suit)) continue
    count++
    cents += suit.cents
  }
  return { count, cents }
}

/** Protests and government debts come from separate registers and are not lawsuits. */
const registers = (key: RegisterKey, document: string, epoch: Epoch): Figure => {
  const draw = draws(hash(`${document} ${key}`, epoch.seed))
  if (draw() < 0.8) return { count: 0, cents: 0 }
  return {
    count: integerBetween(draw, 1, 6) + versionOf(document, epoch),
    cents: integerBetween(draw, 10_000, 90_000_000),
  }
}

const amountText = (cents: number, brazilian: boolean): string => {
  if (cents === 0) return brazilian ? '0,00' : '0.00'
  const fraction = String(cents % 100).padStart(2, '0')
  const units = String(Math.floor(cents / 100))
  return brazilian ? `${units.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction}` : `${units}.${fraction}`
}
