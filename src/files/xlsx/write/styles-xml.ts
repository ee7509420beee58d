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

/**
 * The styles of the caller's workbook as XML, list by list, to be written together with ours. Cells refer to entries of
 * `cellXfs`, and these to entries of the other lists.
 */
export type OtherStyles = {
  /** Attributes of the root: the entries use its prefixes. */
  namespaces: string
  lists: ReadonlyMap<string, readonly string[]>
  /** Numbers that formats of the caller have. */
  formatIds: ReadonlySet<number>
}

/** The number of a style of the caller's workbook, whose styles follow ours. */
export const otherStyleNumber = (number: number): number => lookNames.length * emphases.length + number

const codes = ['dd/mm/yyyy', 'dd/mm/yyyy\\ hh:mm:ss', '0.0%']

const font = (more: string, size = 11): string =>
  `<font>${more.includes('b') ? '<b/>' : ''}<sz val="${size}"/>${more.includes('g') ? '<color rgb="FF595959"/>' : ''}<name val="Calibri"/><family val="2"/></font>`

/** Plain, bold, large and bold, grey. */
const fonts = [font(''), font('b'), font('b', 16), font('g')]

const solid = (colour: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="FF${colour}"/><bgColor indexed="64"/></patternFill></fill>`

/** The first two are fixed by the format; then one for each emphasis, and those of headers. */
const fixedFills = ['none', 'gray125'].map((type) => `<fill><patternFill patternType="${type}"/></fill>`)
const fills = ['C6EFCE', 'FFEB9C', 'FFC7CE', 'DDEBF7', 'EDEDED'].map(solid)

const borders = [
  '<border><left/><right/><top/><bottom/><diagonal/></border>',
  '<border><left/><right/><top/><bottom style="thin"><color rgb="FF8EA9DB"/></bottom><diagonal/></border>',
]

const normal = {
  cellStyleXfs: ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'],
  cellStyles: ['<cellStyle name="Normal" xfId="0" builtinId="0"/>'],
}

/**
 * Our styles and those of the caller's workbook. Of fonts, fills, borders and formats the caller's stand first and keep
 * their numbers; of the styles that cells refer to, ours do.
 */
export const stylesXml = (others: OtherStyles | null): string => {
  const of = (list: string): readonly string[] => others?.lists.get(list) ?? []
  const otherFills = [...of('fills'), ...fixedFills.slice(of('fills').length)]
  const formatIds = freeIds(others?.formatIds ?? new Set())
  const at = { font: of('fonts').length, fill: otherFills.length - fixedFills.length, line: of('borders').length }
  const styleXml = ({ format, font = 0, fill = 0, line = 0, align }: Style, emphasis: CellEmphasis): string => {
    const filled = emphasis === 'none' ? fill : emphases.indexOf(emphasis) + 1
    const attributes =
      `numFmtId="${formatIds[format - firstOwn] ?? format}" fontId="${at.font + font}" ` +
      `fillId="${filled === 0 ? 0 : at.fill + filled}" borderId="${at.line + line}" xfId="0"`
    const applied = 'applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"'
    return `<xf ${attributes} ${applied}>${align ? `<alignment ${align}/>` : ''}</xf>`
  }
  const formats = codes.map((code, i) => `<numFmt numFmtId="${formatIds[i]}" formatCode="${escapeText(code)}"/>`)
  const styles = lookNames.flatMap((look) => emphases.map((emphasis) => styleXml(looks[look], emphasis)))
  const lists: [string, readonly string[]][] = [
    ['numFmts', [...of('numFmts'), ...formats]],
    ['fonts', [...of('fonts'), ...fonts]],
    ['fills', [...otherFills, ...fills]],
    ['borders', [...of('borders'), ...borders]],
    ['cellStyleXfs', of('cellStyleXfs').length > 0 ? of('cellStyleXfs') : normal.cellStyleXfs],
    ['cellXfs', [...styles, ...of('cellXfs')]],
    ['cellStyles', of('cellStyles').length > 0 ? of('cellStyles') : normal.cellStyles],
    ['dxfs', of('dxfs')],
    ['tableStyles', of('tableStyles')],
  ]
  const colors = of('colors').join('')
  const counted = lists.map(([name, all]) =>
    all.length > 0 ? `<${name} count="${all.length}">${all.join('')}</${name}>` : '',
  )
  return (
    `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"${others?.namespaces ?? ''}>` +
    `${counted.join('')}${colors && `<colors>${colors}</colors>`}</styleSheet>`
  )
}

/** Numbers for our formats that none of the caller's has. */
const freeIds = (taken: ReadonlySet<number>): number[] => {
  const free: number[] = []
  for (let id = firstOwn; free.length < codes.length; id++) if (!taken.has(id)) free.push(id)
  return free
}

/** The first number of a format that the file itself describes. */
const firstOwn = 164
