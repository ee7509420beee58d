import { stripVTControlCharacters, styleText } from 'node:util'

/** Free text is cut before numbers, states and times are. */
type Column = { title: string; align?: 'left' | 'right'; free?: boolean }

/** Lines of a table for people, cut to `width`: first in columns of free text, then in the widest columns. */
export const renderTable = (
  columns: readonly Column[],
  rows: readonly string[][],
  width = Number.POSITIVE_INFINITY,
) => {
  const wanted = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => visibleLength(row[index] ?? ''))),
  )
  const available = width - GAP.length * (columns.length - 1)
  const free = columns.flatMap((column, index) => (column.free ? [index] : []))
  const widths = shrink(shrink(wanted, available, free, 8), available, [...columns.keys()], 4)
  const line = (cells: readonly string[]) =>
    columns
      .map(({ align = 'left' }, index) => pad(cut(cells[index] ?? '', widths[index]!), widths[index]!, align))
      .join(GAP)
      .trimEnd()
  const head = line(columns.map(({ title }) => title))
  return [styleText('bold', head), ...rows.map(line)].join('\n')
}

const GAP = '  '

/** Narrows the widest of the given columns by one character at a time, until all fit or none is above `least`. */
const shrink = (wanted: readonly number[], available: number, from: readonly number[], least: number): number[] => {
  const widths = [...wanted]
  let over = widths.reduce((sum, width) => sum + width, 0) - available
  while (over > 0) {
    const widest = from.toSorted((a, b) => widths[b]! - widths[a]!)[0]
    if (widest === undefined || widths[widest]! <= least) break
    widths[widest]! -= 1
    over -= 1
  }
  return widths
}

const cut = (text: string, width: number): string => {
  const single = text.replaceAll(/\s+/g, ' ')
  if (visibleLength(single) <= width) return single
  return `${[...stripVTControlCharacters(single)].slice(0, width - 1).join('')}…`
}

const pad = (text: string, width: number, align: 'left' | 'right'): string => {
  const space = ' '.repeat(Math.max(0, width - visibleLength(text)))
  return align === 'right' ? space + text : text + space
}

const visibleLength = (text: string): number => [...stripVTControlCharacters(text)].length
