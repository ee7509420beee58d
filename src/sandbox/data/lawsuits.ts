import { type Draw, draws, hash, integerBetween, oneOf } from './hash.ts'

export type Lawsuit = {
  role: 'defendant' | 'author' | 'unclassified'
  matter: 'civil' | 'labour' | 'criminal' | 'execution'
  risk: boolean
  active: boolean
  cents: number
}

/** What determines a document's data: the seed, the simulated day, and the share of documents that change each day. */
export type Epoch = { seed: number; day: number; changeShare: number }

/** The lawsuits of a document on a day; the same document always has the same ones. */
export const lawsuitsOf = (document: string, epoch: Epoch): Lawsuit[] => {
  const draw = draws(hash(document, epoch.seed))
  const suits = Array.from({ length: howMany(draw) }, () => lawsuit(draw))
  for (let version = versionOf(document, epoch); version > 0; version--) nextVersion(suits, draw)
  return suits
}

/** How often a document has changed by this day: once in every 1 / changeShare days, each document at its own phase. */
export const versionOf = (document: string, { seed, day, changeShare }: Epoch): number => {
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
