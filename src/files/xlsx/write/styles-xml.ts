/** How a cell is shown. The order is that of the styles in the file: rows made elsewhere name them by `styleNumber`. */
const looks = ['general', 'text', 'integer', 'amount', 'date', 'dateTime', 'time', 'header'] as const
export type CellLook = (typeof looks)[number]

/** What a colour says of a cell; a word must say it too, for those who do not see colours. */
const marks = ['none', 'good', 'attention', 'danger'] as const
export type CellMark = (typeof marks)[number]

/** The number by which a cell names its style (`s="3"`). */
export const styleNumber = (look: CellLook, mark: CellMark = 'none'): number =>
  looks.indexOf(look) * marks.length + marks.indexOf(mark)

/** Numbers of formats that every program knows; those from 164 on are described in the file. */
const formats: Record<CellLook, number> = {
  general: 0,
  text: 49,
  integer: 1,
  amount: 4,
  date: 164,
  dateTime: 165,
  time: 46,
  header: 49,
}

const custom =
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/>' +
  '<numFmt numFmtId="165" formatCode="dd/mm/yyyy\\ hh:mm:ss"/></numFmts>'

const fonts =
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>'

const solid = (colour: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="FF${colour}"/><bgColor indexed="64"/></patternFill></fill>`

/** The first two are fixed by the format; then one for each mark, and that of headers. */
const fills =
  '<fills count="6"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  `${solid('C6EFCE')}${solid('FFEB9C')}${solid('FFC7CE')}${solid('DDEBF7')}</fills>`

const fillOf = (look: CellLook, mark: CellMark): number =>
  mark === 'none' ? (look === 'header' ? 5 : 0) : marks.indexOf(mark) + 1

const style = (look: CellLook, mark: CellMark): string => {
  const wrap = look === 'header' ? '<alignment vertical="top" wrapText="1"/>' : ''
  const attributes = `numFmtId="${formats[look]}" fontId="${look === 'header' ? 1 : 0}" fillId="${fillOf(look, mark)}"`
  return `<xf ${attributes} borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1">${wrap}</xf>`
}

export const stylesXml = (): string => {
  const styles = looks.flatMap((look) => marks.map((mark) => style(look, mark)))
  return (
    `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${custom}${fonts}${fills}` +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  )
}
