import { type Classification, classifications } from '../../domain/classifications.ts'
import { type Draw, draws, hash, integerBetween, oneOf } from './hash.ts'

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

type Lawsuit = {
  role: 'defendant' | 'author' | 'unclassified'
  matter: 'civil' | 'labour' | 'criminal' | 'execution'
  risk: boolean
  active: boolean
  cents: number
}

/** What determines a document's data: the seed, the simulated day, and the share of documents that change each day. */
export type Epoch = { seed: number; day: number; changeShare: number }

/** The lawsuits of a document on a day; the same document always has the same ones. */
const lawsuitsOf = (document: string, epoch: Epoch): Lawsuit[] => {
  const draw = draws(hash(document, epoch.seed))
  const suits = Array.from({ length: howMany(draw) }, () => lawsuit(draw))
  for (let version = versionOf(document, epoch); version > 0; version--) nextVersion(suits, draw)
  return suits
}

/** How often a document has changed by this day: once in every 1 / changeShare days, each document at its own phase. */
const versionOf = (document: string, { seed, day, changeShare }: Epoch): number => {
  if (day === 0 || changeShare <= 0) return 0
  const period = Math.max(1, Math.round(1 / changeShare))
  return Math.floor((day + (hash(`${document} phase`, seed) % period)) / period)
}

/** A third of all documents is clean, most others have a few lawsuits, one in fifty has dozens. */
const howMany = (draw: Draw): number => {
  const luck = draw()
  if (luck < 0.35) return 0
  if (luck < 0.85) return integerBetween(draw, 1, 5)
  return luck < 0.98 ? integerBetween(draw, 6, 25) : integerBetween(draw, 26, 120)
}

const roles = ['defendant', 'defendant', 'author', 'unclassified'] as const
const matters = ['civil', 'civil', 'labour', 'execution', 'criminal'] as const

const lawsuit = (draw: Draw): Lawsuit => ({
  role: oneOf(draw, roles),
  matter: oneOf(draw, matters),
  risk: draw() < 0.3,
  active: draw() < 0.6,
  cents: Math.floor(10 ** (4 + draw() * 4.5)),
})

/** A change that matters to a risk team: a new lawsuit is twice as likely as one that ends or is dropped. */
const nextVersion = (suits: Lawsuit[], draw: Draw): void => {
  const change = draw()
  const open = suits.findIndex((suit) => suit.active)
  if (change < 0.25 && open >= 0) suits[open] = { ...(suits[open] as Lawsuit), active: false }
  else if (change < 0.4 && suits.length > 1) suits.pop()
  else suits.push(lawsuit(draw))
}
