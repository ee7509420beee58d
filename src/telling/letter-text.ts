import type { Letter, LetterItem } from './letter.ts'

/** A letter as plain text, a line per fact. */
export const letterText = ({ title, lead, items, notes }: Letter, foot: string): string =>
  [title, '', lead, ...items.flatMap((item) => ['', ...itemLines(item)]), ...spaced(notes), '', '-- ', foot, ''].join(
    '\n',
  )

const spaced = (notes: string[]): string[] => notes.flatMap((note) => ['', note])

const itemLines = (item: LetterItem): string[] => [
  [item.name, item.document].filter(Boolean).join('  '),
  `  ${itemSentence(item)}`,
  ...(item.rules.length > 0 ? [`  ! ${item.rules.map(({ name }) => name).join(', ')}`] : []),
]

/** `Lawsuits: 1 → 3 (worse)`, or `Radar: removed` where there are no figures. */
export const itemSentence = (item: LetterItem): string =>
  `${item.what}: ${moved(item)}${isFigure(item) ? ` (${item.verdict})` : ''}`

export const moved = (item: LetterItem): string =>
  isFigure(item) ? `${item.before ?? '–'} → ${item.after ?? '–'}` : item.verdict

export const isFigure = ({ before, after }: LetterItem): boolean => before !== null || after !== null
