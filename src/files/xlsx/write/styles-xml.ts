import type { WrittenFormat } from '../read/number-formats.ts'
import { escapeText } from './escape-text.ts'

/**
 * How a cell is shown: the number of its format (those from 164 on are described in the file), and its font, fill and
 * line by their index in the lists that follow. The order is that of the styles in the file: rows that are produced
 * elsewhere refer to them by `styleNumber`.
 */
const looks = {
  general: { format: 0 },
  text: { format: 49 },
  integer: { format: 3 },
  amount: { format: 4 },
  date: { format: 164 },
  dateTime: { format: 165 },
  time: { format: 46 },
  header: { format: 49, font: 1, fill: 5, line: 1, align: 'vertical="top" wrapText="1"' },
  /** Above columns of the caller. */
  ownHeader: { format: 49, font: 1, fill: 6, line: 1, align: 'vertical="top" wrapText="1"' },
  title: { format: 49, font: 2 },
  section: { format: 49, font: 1, fill: 5, line: 1 },
  /** Aligned to the right, above numbers. */
  figures: { format: 49, font: 1, fill: 5, line: 1, align: 'horizontal="right"' },
  note: { format: 49, font: 3 },
  /** A moment in a column of texts, which are aligned to the left. */
  moment: { format: 165, align: 'horizontal="left" vertical="top"' },
  label: { format: 49, align: 'vertical="top"' },
  prose: { format: 49, align: 'vertical="top" wrapText="1"' },
  share: { format: 166 },
  total: { format: 3, font: 1 },
} as const satisfies Record<string, Style>

type Style = { format: number; font?: number; fill?: number; line?: number; align?: string }

export type CellLook = keyof typeof looks
const lookNames = Object.keys(looks) as CellLook[]

/** What a colour says of a cell; its text must say it too, for readers who do not see colours. */
const emphases = ['none', 'good', 'attention', 'danger'] as const
export type CellEmphasis = (typeof emphases)[number]

/** The number by which a cell refers to its style (`s="3"`). */
export const styleNumber = (look: CellLook, emphasis: CellEmphasis = 'none'): number =>
  lookNames.indexOf(look) * emphases.length + emphases.indexOf(emphasis)

/** The number of the style of the caller's format; those styles follow all others. */
export const ownStyleNumber = (at: number): number => lookNames.length * emphases.length + at

const codes = ['dd/mm/yyyy', 'dd/mm/yyyy\\ hh:mm:ss', '0.0%']

/** A format of the caller is known by its number, or gets one after ours. */
const idOf = (format: WrittenFormat, own: readonly WrittenFormat[]): number =>
  typeof format === 'number' ? format : 164 + codes.length + own.indexOf(format)

const formatsXml = (own: readonly WrittenFormat[]): string => {
  const all = [...codes.map((code, at): [number, string] => [164 + at, code])]
  for (const format of own) if (typeof format === 'string') all.push([idOf(format, own), format])
  const listed = all.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${escapeText(code)}"/>`)
  return `<numFmts count="${all.length}">${listed.join('')}</numFmts>`
}

const font = (more: string, size = 11): string =>
  `<font>${more.includes('b') ? '<b/>' : ''}<sz val="${size}"/>${more.includes('g') ? '<color rgb="FF595959"/>' : ''}<name val="Calibri"/><family val="2"/></font>`

/** Plain, bold, large and bold, grey. */
const fonts = `<fonts count="4">${font('')}${font('b')}${font('b', 16)}${font('g')}</fonts>`

const solid = (colour: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="FF${colour}"/><bgColor indexed="64"/></patternFill></fill>`

/** The first two are fixed by the format; then one for each emphasis, and those of headers. */
const fills =
  '<fills count="7"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  `${solid('C6EFCE')}${solid('FFEB9C')}${solid('FFC7CE')}${solid('DDEBF7')}${solid('EDEDED')}</fills>`

const borders =
  '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/>' +
  '<bottom style="thin"><color rgb="FF8EA9DB"/></bottom><diagonal/></border></borders>'

const styleXml = ({ format, font = 0, fill = 0, line = 0, align }: Style, emphasis: CellEmphasis): string => {
  const filled = emphasis === 'none' ? fill : emphases.indexOf(emphasis) + 1
  const attributes = `numFmtId="${format}" fontId="${font}" fillId="${filled}" borderId="${line}" xfId="0"`
  const applied = 'applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"'
  return `<xf ${attributes} ${applied}>${align ? `<alignment ${align}/>` : ''}</xf>`
}

export const stylesXml = (own: readonly WrittenFormat[] = []): string => {
  const styles = [
    ...lookNames.flatMap((look) => emphases.map((emphasis) => styleXml(looks[look], emphasis))),
    ...own.map((format) => styleXml({ format: idOf(format, own) }, 'none')),
  ]
  return (
    `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${formatsXml(own)}${fonts}${fills}${borders}` +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  )
}
