/** How the name in a file compares with the name that the registry has for the document. */
export const nameMatches = ['same', 'similar', 'different'] as const
export type NameMatch = (typeof nameMatches)[number]

/** What decided: letters as written, folded, without legal forms, in another order; parts left out, short or mistyped. */
export const nameRules = ['exact', 'folded', 'legal_form', 'order', 'abbreviated', 'typing', 'parts'] as const
export type NameRule = (typeof nameRules)[number]

export type NameComparison = { match: NameMatch; rule: NameRule }

/**
 * Compares two names; null where one of them has no letter or digit.
 *
 * Case, accents, legal forms and the order of the parts do not make a name another one. A name that leaves out or shortens
 * parts of the other, or differs from it by a typing error in a part, is similar.
 */
export const compareNames = (given: string, registered: string): NameComparison | null => {
  const [one, other] = [partsOf(given), partsOf(registered)]
  if (one.length === 0 || other.length === 0) return null
  if (given.trim() === registered.trim()) return { match: 'same', rule: 'exact' }
  if (isEqual(one, other)) return { match: 'same', rule: 'folded' }
  const [bare, otherBare] = [withoutForms(one), withoutForms(other)]
  if (isEqual(bare, otherBare)) return { match: 'same', rule: 'legal_form' }
  const [sorted, otherSorted] = [bare.toSorted(), otherBare.toSorted()]
  if (isEqual(sorted, otherSorted)) return { match: 'same', rule: 'order' }
  if (isAbbreviated(sorted, otherSorted) || isAbbreviated(otherSorted, sorted))
    return { match: 'similar', rule: 'abbreviated' }
  if (isMistyped(sorted, otherSorted)) return { match: 'similar', rule: 'typing' }
  return { match: 'different', rule: 'parts' }
}

/** Points inside a form or initials join their letters: `S.A.` is `SA`, but `J. P. Silva` has three parts. */
const partsOf = (name: string): string[] =>
  name
    .slice(0, longestName)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .replace(/(?<=\b[A-Z])[./](?=[A-Z]\b)/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '' && !particles.has(part))

const longestName = 300
const particles: ReadonlySet<string> = new Set(['DA', 'DE', 'DO', 'DAS', 'DOS', 'E'])

const forms: ReadonlySet<string> = new Set(
  'LTDA LIMITADA ME MEI EPP EIRELI SA SLU SS CIA COMPANHIA SOCIEDADE ANONIMA UNIPESSOAL EI'.split(' '),
)

/** A name of nothing but forms keeps them. */
const withoutForms = (parts: string[]): string[] => {
  const bare = parts.filter((part) => !forms.has(part))
  return bare.length > 0 ? bare : parts
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((part, i) => part === other[i])

/** Every part is one of the longer name, or its first letters, and at least two parts stand in full in both. */
const isAbbreviated = (short: readonly string[], long: readonly string[]): boolean => {
  const left = [...long]
  const take = (fits: (part: string) => boolean): boolean => {
    const at = left.findIndex(fits)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  const rest = short.filter((part) => !take((each) => each === part))
  return short.length - rest.length >= 2 && rest.every((start) => take((part) => part.startsWith(start)))
}

/** As many parts, and all but one are equal; that one differs by one letter. */
const isMistyped = (one: readonly string[], other: readonly string[]): boolean => {
  const [left, right] = [without(one, other), without(other, one)]
  if (left.length !== 1 || right.length !== 1) return false
  const [a, b] = [left[0]!, right[0]!]
  return Math.min(a.length, b.length) >= 4 && isOneEditApart(a, b)
}

const without = (parts: readonly string[], others: readonly string[]): string[] => {
  const left = [...others]
  return parts.filter((part) => {
    const at = left.indexOf(part)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** One letter more, less, other, or two neighbours swapped. */
const isOneEditApart = (a: string, b: string): boolean => {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const [cut, otherCut] = [a.slice(start, endA), b.slice(start, endB)]
  if (Math.max(cut.length, otherCut.length) <= 1) return true
  return cut.length === 2 && otherCut.length === 2 && cut[0] === otherCut[1] && cut[1] === otherCut[0]
}
