import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, deflateRawSync } from 'node:zlib'
import { readWorkbook, type WorkbookRow } from '../../../src/files/xlsx/read-workbook.ts'
import { writeWorkbook } from '../../../src/files/xlsx/write-workbook.ts'

export const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const officeDocument = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships'

export type Parts = Record<string, string | Buffer>

export const relationshipsXml = (targets: Record<string, string>): string =>
  `<Relationships xmlns="${relationships}">${Object.entries(targets)
    .map(([target, type], i) => `<Relationship Id="rId${i + 1}" Type="${officeDocument}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** The parts of a workbook with one sheet, whose `sheetData` is given; any of them can be replaced. */
export const partsOf = (rows: string, others: Parts = {}): Parts => ({
  '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  '_rels/.rels': relationshipsXml({ 'xl/workbook.xml': 'officeDocument' }),
  'xl/_rels/workbook.xml.rels': relationshipsXml({
    'worksheets/sheet1.xml': 'worksheet',
    'sharedStrings.xml': 'sharedStrings',
    'styles.xml': 'styles',
  }),
  'xl/workbook.xml': workbookXml('<sheet name="Plan1" sheetId="1" r:id="rId1"/>'),
  'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>`,
  'xl/sharedStrings.xml': `<sst xmlns="${main}"/>`,
  'xl/worksheets/sheet1.xml': sheetXml(rows),
  ...others,
})

export const workbookXml = (sheets: string, before = ''): string =>
  `<workbook xmlns="${main}" xmlns:r="${officeDocument}">${before}<sheets>${sheets}</sheets></workbook>`

export const sheetXml = (rows: string): string =>
  `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`

export const stringsXml = (items: string): string => `<sst xmlns="${main}">${items}</sst>`

/** One style for each format, in this order. */
export const stylesXml = (...formats: string[]): string => {
  const escaped = formats.map((code) => code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'))
  const codes = escaped.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code}"/>`).join('')
  const styles = formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join('')
  return `<styleSheet xmlns="${main}"><numFmts>${codes}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>`
}

/** What may be wrong with one part of a zip. */
export type Twist = {
  method?: number
  flags?: number
  claimedSize?: number
  offset?: number
  crc?: number
  /** The content is given in its packed form. */
  packed?: boolean
}

/** A zip made by hand, so that its headers can be wrong. */
export const zipOf = (parts: Parts, twists: Record<string, Twist> = {}): Buffer => {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(parts)) {
    const twist = twists[name] ?? {}
    const bytes = Buffer.from(content)
    const packed = twist.method === 0 || twist.packed ? bytes : pack(bytes)
    const fields = headerFields(name, bytes, packed, twist)
    locals.push(Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]))
    directory.push(directoryEntry(fields, twist.offset ?? at, name))
    at += locals.at(-1)!.length
  }
  const listed = Buffer.concat(directory)
  return Buffer.concat([...locals, listed, endOfZip(directory.length, listed.length, at)])
}

/** Empty content is packed once: some zips have ten thousand parts of it. */
const pack = (bytes: Buffer): Buffer => (bytes.length === 0 ? packedNothing : deflateRawSync(bytes))
const packedNothing = deflateRawSync(Buffer.alloc(0))

const headerFields = (name: string, bytes: Buffer, packed: Buffer, twist: Twist): Buffer => {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE((twist.flags ?? 0) | 0x800, 2)
  fields.writeUInt16LE(twist.method ?? 8, 4)
  fields.writeUInt32LE(twist.crc ?? crc32(bytes), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(twist.claimedSize ?? bytes.length, 18)
  fields.writeUInt16LE(Buffer.byteLength(name), 22)
  return fields
}

const directoryEntry = (fields: Buffer, offset: number, name: string): Buffer => {
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(offset, 10)
  return Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, Buffer.from(name)])
}

const endOfZip = (count: number, size: number, offset: number): Buffer => {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

export async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000)
}

/** All rows of a sheet, of the first one where none is named. */
export const rowsIn = async (bytes: Buffer, sheet?: string): Promise<WorkbookRow[]> => {
  await using workbook = await readWorkbook(inPieces(bytes))
  const rows: WorkbookRow[] = []
  for await (const batch of workbook.rows(sheet ?? workbook.sheets[0]!.name)) rows.push(...batch)
  return rows
}

/** What our own writer makes of sheets. */
export const written = async (
  workbook: Partial<Parameters<typeof writeWorkbook>[1]>,
  options?: Parameters<typeof writeWorkbook>[2],
): Promise<Buffer> => {
  const sink = new PassThrough()
  const complete = {
    properties: { title: 'Relatório', creator: 'Vigia', created: new Date(0) },
    sheets: [],
    ...workbook,
  }
  const [bytes] = await Promise.all([buffer(sink), writeWorkbook(sink, complete, options)])
  return bytes
}

/** The cells of one row, as `letter text`. */
export const cellsOf = async (row: string, others: Parts = {}): Promise<string[]> => {
  const [first] = await rowsIn(zipOf(partsOf(`<row r="1">${row}</row>`, others)))
  return (first?.cells ?? []).map((text, i) => `${first!.types[i]} ${text}`)
}
