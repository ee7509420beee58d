import { oversizedPart } from '../../file-problem.ts'
import { readCompleteXml } from './read-xml.ts'
import type { ZipParts } from './zip-parts.ts'

/** What a format shows of a day number: `time` is the time of day, `duration` counts hours beyond one day. */
export type ShownTime = 'date' | 'dateTime' | 'time' | 'duration'

/** How a style shows a number: as it is, as a moment or duration, or as digits padded with zeros to a width. */
export type NumberFormat = { shows: 'number' | ShownTime } | { shows: 'digits'; width: number }

/** The format of each style that a cell may refer to. */
export const readNumberFormats = async (parts: ZipParts, name: string | undefined): Promise<NumberFormat[]> => {
  if (name === undefined || !parts.has(name)) return []
  const { limits } = parts
  const codes = new Map<string, string>()
  const ids: string[] = []
  let inCells = false
  await readCompleteXml({ parts, name, root: 'styleSheet' }, (token, tokens) => {
    if (tokens.name === 'cellXfs') inCells = token === 'open'
    if (token !== 'open') return
    if (tokens.name === 'numFmt') codes.set(tokens.attribute('numFmtId') ?? '', tokens.attribute('formatCode') ?? '')
    if (tokens.name === 'xf' && inCells) ids.push(tokens.attribute('numFmtId') ?? '0')
    if (Math.max(ids.length, codes.size) > limits.styles) throw oversizedPart(name, limits.styles, 'styles')
  })
  const formats = new Map([...new Set(ids)].map((id) => [id, numberFormat(codes.get(id) ?? builtIn(Number(id)))]))
  return ids.map((id) => formats.get(id) as NumberFormat)
}

/** Formats that are known by their number alone; those from 27 on belong to languages whose dates they show. */
const builtIn = (id: number): string => {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'd/m/y'
  if (id === 46) return '[h]:m:s'
  if ((id >= 18 && id <= 21) || id === 45 || id === 47) return 'h:m:s'
  return id === 22 ? 'd/m/y h:m' : 'General'
}

/**
 * A format such as `dd/mm/yyyy`, `[$-416]d" de "mmmm`, `[h]:mm` or `000\.000\.000\-00`. Only its first section counts:
 * the others are for negative numbers, zero and text.
 */
const numberFormat = (code: string): NumberFormat => {
  const { bare, counted } = firstSection(code.slice(0, longestCode))
  if (/general/i.test(bare)) return { shows: 'number' }
  const time = counted || /[hs]/i.test(bare)
  const date = /[yd]/i.test(bare) || (!time && /m/i.test(bare))
  if (date) return { shows: time ? 'dateTime' : 'date' }
  if (time) return { shows: counted ? 'duration' : 'time' }
  const zeros = bare.replace(/[-/() ]/g, '')
  return /^0{2,}$/.test(zeros) ? { shows: 'digits', width: zeros.length } : { shows: 'number' }
}

/** The longest format that Excel accepts. */
const longestCode = 255

/**
 * The letters that stand for figures, in one pass: without quoted texts, escaped characters, fillers, and what stands in
 * brackets. `[h]` means that hours are counted beyond one day.
 */
const firstSection = (code: string): { bare: string; counted: boolean } => {
  let bare = ''
  let counted = false
  const lastClosing = { '"': code.lastIndexOf('"'), '[': code.lastIndexOf(']') }
  for (let at = 0; at < code.length && code[at] !== ';'; at++) {
    const sign = code[at] as string
    if ((sign === '"' || sign === '[') && lastClosing[sign] > at) {
      const end = code.indexOf(sign === '[' ? ']' : sign, at + 1)
      counted ||= sign === '[' && /^[hms]+$/i.test(code.slice(at + 1, end))
      at = end
    } else if ('\\_*'.includes(sign)) at++
    else bare += sign
  }
  return { bare, counted }
}
