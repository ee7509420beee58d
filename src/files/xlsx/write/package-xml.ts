import { escapeText } from './escape-text.ts'

/** A sheet that was written: its name, and the range that its filter covers. */
export type WrittenSheet = { name: string; hidden: boolean; filter: string | null }

export type WorkbookProperties = { title: string; creator: string; created: Date }

const officeDocument = 'http://schemas.openxmlformats.org/officeDocument/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const drawing = 'application/vnd.openxmlformats-officedocument'

export const contentTypesXml = (sheets: number, charts: number): string => {
  const parts: [string, string][] = [
    ['xl/workbook.xml', `${spreadsheet}.sheet.main+xml`],
    ['xl/styles.xml', `${spreadsheet}.styles+xml`],
    ['docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ['docProps/app.xml', `${drawing}.extended-properties+xml`],
    ...numbers(sheets).map((n): [string, string] => [`xl/worksheets/sheet${n}.xml`, `${spreadsheet}.worksheet+xml`]),
    ...numbers(charts).flatMap((n): [string, string][] => [
      [`xl/drawings/drawing${n}.xml`, `${drawing}.drawing+xml`],
      [`xl/charts/chart${n}.xml`, `${drawing}.drawingml.chart+xml`],
    ]),
  ]
  const overrides = parts.map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`).join('')
  return (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides}</Types>`
  )
}

/** The targets of a part; the first is `rId1`. */
export const relationshipsXml = (targets: readonly { type: string; target: string }[]): string => {
  const all = targets.map(({ type, target }, i) => `<Relationship Id="rId${i + 1}" Type="${type}" Target="${target}"/>`)
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`
}

export const relationshipType = (name: string): string => `${officeDocument}/relationships/${name}`

export const rootRelationshipsXml = (): string =>
  relationshipsXml([
    { type: relationshipType('officeDocument'), target: 'xl/workbook.xml' },
    {
      type: 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
      target: 'docProps/core.xml',
    },
    { type: relationshipType('extended-properties'), target: 'docProps/app.xml' },
  ])

export const workbookRelationshipsXml = (sheets: number): string =>
  relationshipsXml([
    ...numbers(sheets).map((n) => ({ type: relationshipType('worksheet'), target: `worksheets/sheet${n}.xml` })),
    { type: relationshipType('styles'), target: 'styles.xml' },
  ])

export const workbookXml = (sheets: readonly WrittenSheet[]): string => {
  const listed = sheets.map(
    ({ name, hidden }, i) =>
      `<sheet name="${escapeText(name)}" sheetId="${i + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${i + 1}"/>`,
  )
  const filters = sheets.map(({ name, filter }, i) => (filter ? filterName(name, filter, i) : '')).join('')
  return (
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeDocument}/relationships">` +
    `<bookViews><workbookView/></bookViews><sheets>${listed.join('')}</sheets>` +
    `${filters && `<definedNames>${filters}</definedNames>`}</workbook>`
  )
}

/** A filter is also a hidden name, which Excel would otherwise add when it saves. */
const filterName = (sheet: string, range: string, index: number): string =>
  `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">${sheetRange(sheet, range)}</definedName>`

export const sheetRange = (sheet: string, range: string): string =>
  `'${escapeText(sheet.replaceAll("'", "''"))}'!${range}`

export const coreXml = ({ title, creator, created }: WorkbookProperties): string =>
  '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ' +
  `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeText(title)}</dc:title>` +
  `<dc:creator>${escapeText(creator)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${created
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')}</dcterms:created></cp:coreProperties>`

export const appXml = (): string =>
  `<Properties xmlns="${officeDocument}/extended-properties"><Application>Vigia</Application></Properties>`

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)
