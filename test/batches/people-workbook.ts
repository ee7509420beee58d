import {
  type Parts,
  partsOf,
  relationshipsXml,
  sheetXml,
  stylesXml,
  workbookXml,
  zipOf,
} from '../files/xlsx/hand-made.ts'

/** A cell of a sheet: text, a number, or the XML of something rarer. */
export type Cell = string | number | { xml: string } | null

/** The rows of a sheet, by their numbers. */
export type Rows = Record<number, Cell[]>

/** A workbook with these sheets, in the order of their tabs; a name that ends in `(hidden)` is hidden. */
export const workbookOf = (sheets: Record<string, Rows | string>, others: Parts = {}): Buffer => {
  const names = Object.keys(sheets)
  const parts = Object.fromEntries(
    names.map((name, i) => [`xl/worksheets/sheet${i + 1}.xml`, sheetXml(rowsXml(sheets[name] as Rows))]),
  )
  const targets = Object.fromEntries(names.map((_, i) => [`worksheets/sheet${i + 1}.xml`, 'worksheet']))
  const listed = names.map((name, i) => {
    const state = name.endsWith('(hidden)') ? ' state="hidden"' : ''
    return `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"${state}/>`
  })
  return zipOf(
    partsOf('', {
      'xl/workbook.xml': workbookXml(listed.join('')),
      'xl/_rels/workbook.xml.rels': relationshipsXml({
        ...targets,
        'sharedStrings.xml': 'sharedStrings',
        'styles.xml': 'styles',
      }),
      'xl/styles.xml': stylesXml('General', 'dd/mm/yyyy', '00000000000'),
      ...parts,
      ...others,
    }),
  )
}

const rowsXml = (rows: Rows | string): string =>
  typeof rows === 'string'
    ? rows
    : Object.entries(rows)
        .map(
          ([number, cells]) =>
            `<row r="${number}">${cells.map((cell, at) => cellXml(cell, number, at)).join('')}</row>`,
        )
        .join('')

const cellXml = (cell: Cell, row: string, at: number): string => {
  const place = `r="${String.fromCharCode(65 + at)}${row}"`
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`
  if (typeof cell === 'object') return `<c ${place} ${cell.xml}</c>`
  return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;')
