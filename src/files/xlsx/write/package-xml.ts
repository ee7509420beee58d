import type { SheetState } from '../read/workbook-outline.ts'
import { escapeText } from './escape-text.ts'

/** A sheet that was written: its name, and the range that a filter of ours covers. */
export type WrittenSheet = { name: string; state: SheetState; filter: string | null }

export type WorkbookProperties = { title: string; creator: string; created: Date }

const officeDocument = 'http://schemas.openxmlformats.org/officeDocument/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const drawing = 'application/vnd.openxmlformats-officedocument'

/** The types of the parts of a package by their names. */
export const contentTypesXml = (parts: Iterable<readonly [string, string]>): string => {
  const overrides = [...parts].map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`)
  return (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  )
}

export const contentTypes = {
  workbook: `${spreadsheet}.sheet.main+xml`,
  styles: `${spreadsheet}.styles+xml`,
  sheet: `${spreadsheet}.worksheet+xml`,
  strings: `${spreadsheet}.sharedStrings+xml`,
  core: 'application/vnd.openxmlformats-package.core-properties+xml',
  app: `${drawing}.extended-properties+xml`,
  drawing: `${drawing}.drawing+xml`,
  chart: `${drawing}.drawingml.chart+xml`,
  comments: `${spreadsheet}.comments+xml`,
  table: `${spreadsheet}.table+xml`,
  theme: `${drawing}.theme+xml`,
  vml: `${drawing}.vmlDrawing`,
}

/** The targets of a part; without an id of its own the first is `rId1`. A type of the format itself is given by its name. */
export const relationshipsXml = (
  targets: readonly { id?: string; type: string; target: string; external?: boolean | undefined }[],
): string => {
  const all = targets.map(
    ({ id = '', type, target, external }, i) =>
      `<Relationship Id="${id || `rId${i + 1}`}" Type="${addressOf(type)}" Target="${escapeText(target)}"${external ? ' TargetMode="External"' : ''}/>`,
  )
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`
}

const addressOf = (type: string): string => (type.includes('/') ? type : `${officeDocument}/relationships/${type}`)

export const rootRelationshipsXml = (): string =>
  relationshipsXml([
    { type: 'officeDocument', target: 'xl/workbook.xml' },
    {
      type: 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
      target: 'docProps/core.xml',
    },
    { type: 'extended-properties', target: 'docProps/app.xml' },
  ])

/** Sheets, each known to the workbook by its place; then the parts that all of them use. */
export const workbookRelationshipsXml = (sheets: number, shared: readonly { type: string; target: string }[]): string =>
  relationshipsXml([
    ...Array.from({ length: sheets }, (_, i) => ({ type: 'worksheet', target: sheetPart(i + 1).slice('xl/'.length) })),
    ...shared,
  ])

export const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`

/** `names` and `calculation` are elements of the caller's workbook. */
export const workbookXml = (
  sheets: readonly WrittenSheet[],
  { names, calculation }: { names: string; calculation: string },
): string => {
  const listed = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${escapeText(name)}" sheetId="${i + 1}"${state ? ` state="${state}"` : ''} r:id="rId${i + 1}"/>`,
  )
  const filters = sheets.map(({ name, filter }, i) => (filter ? filterName(name, filter, i) : '')).join('')
  const all = filters + names
  return (
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeDocument}/relationships">` +
    `<bookViews><workbookView/></bookViews><sheets>${listed.join('')}</sheets>` +
    `${all && `<definedNames>${all}</definedNames>`}${calculation}</workbook>`
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
