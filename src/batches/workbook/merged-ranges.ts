import { columnOf } from '../../files/xlsx/cell-type.ts'

type Range = { text: string; left: number; right: number; top: number; bottom: number }

/** Of the merged ranges of a sheet, those down to a row. Excel refuses a file in which two of them overlap. */
export const mergedDownTo = (ranges: readonly string[], last: number): string[] => {
  const kept: Range[] = []
  for (const text of ranges) {
    const range = rangeIn(text)
    if (!range || range.bottom > last || kept.length >= mostKept) continue
    if (!kept.some((other) => overlap(range, other))) kept.push(range)
  }
  return kept.map(({ text }) => text)
}

const mostKept = 500

const rangeIn = (text: string): Range | null => {
  const [, from = '', top = '', to = '', bottom = ''] =
    /^([A-Z]{1,3})([1-9]\d{0,6}):([A-Z]{1,3})([1-9]\d{0,6})$/.exec(text) ?? []
  const range = {
    text,
    left: columnOf(`${from}1`),
    right: columnOf(`${to}1`),
    top: Number(top),
    bottom: Number(bottom),
  }
  return range.left <= range.right && range.top <= range.bottom && range.right <= 16_384 ? range : null
}

const overlap = (one: Range, other: Range): boolean =>
  one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom
