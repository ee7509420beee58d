import type { Kind } from '../../domain/kind.ts'
import { formatPrice, priceOf } from '../../domain/price.ts'
import type { Visit } from '../visit.ts'

/** What so many paid look-ups come to; null where nobody said what one costs. */
export const priceText = ({ site, words }: Visit, kind: Kind, units: number): string | null => {
  const price = priceOf(site.settings.budget.unitPrice, kind, units)
  return price && formatPrice(price, words.language)
}

/** A number of look-ups with what they come to: `30 (R$ 57,00)`. */
export const pricedCount = (visit: Visit, kind: Kind, units: number): string => {
  const price = priceText(visit, kind, units)
  return price ? `${visit.format.count(units)} (${price})` : visit.format.count(units)
}
