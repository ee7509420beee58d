import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import type { WorkbookProblemCode } from '../../../src/files/file-problem.ts'
import { main, type Parts, partsOf, relationshipsXml, sheetXml, type Twist, workbookXml, zipOf } from './hand-made.ts'

export type Hostile = { name: string; bytes: Buffer; code: WorkbookProblemCode; says: string }

const one = '<row r="1"><c r="A1"><v>1</v></c></row>'
const sheet = 'xl/worksheets/sheet1.xml'
const strings = 'xl/sharedStrings.xml'
const complete = zipOf(partsOf(one))
const withParts = (others: Parts, twists: Record<string, Twist> = {}): Buffer => zipOf(partsOf(one, others), twists)
const withRows = (rows: string): Buffer => zipOf(partsOf(rows))
const withSheet = (xml: string | Buffer): Buffer => withParts({ [sheet]: xml })
const text = (value: string): string => `<row><c t="inlineStr"><is>${value}</is></c></row>`

/** Files that are not workbooks. */
const strangers = (): Hostile[] => [
  { name: 'nothing at all', bytes: Buffer.alloc(0), code: 'empty', says: 'empty' },
  { name: 'a workbook of 1997', bytes: container('Workbook'), code: 'old_excel', says: '.xls' },
  { name: 'a workbook with a password', bytes: container('EncryptedPackage'), code: 'password', says: 'password' },
  { name: 'a CSV by another name', bytes: Buffer.from('cpf;nome\r\n1;a'), code: 'not_workbook', says: '.csv' },
  { name: 'UTF-16 text', bytes: Buffer.from('\ufeffcpf', 'utf16le'), code: 'not_workbook', says: '.csv' },
  { name: 'a PDF', bytes: Buffer.from('%PDF-1.7\n\x00'), code: 'not_workbook', says: 'a PDF' },
  { name: 'a picture', bytes: Buffer.from('\x89PNG\r\n', 'latin1'), code: 'not_workbook', says: 'an image (PNG)' },
  { name: 'a page', bytes: Buffer.from('\ufeff <html><table>'), code: 'not_workbook', says: 'save it as .xlsx' },
  { name: 'XML of 2003', bytes: Buffer.from('<?xml version="1.0"?><Workbook/>'), code: 'not_workbook', says: 'XML' },
  { name: 'random bytes', bytes: Buffer.from([1, 2, 3, 0, 5]), code: 'not_workbook', says: 'something else' },
  { name: 'a zip of a CSV', bytes: zipOf({ 'a.csv': 'cpf' }), code: 'not_workbook', says: 'unpack it' },
  { name: 'an empty zip', bytes: zipOf({}), code: 'not_workbook', says: 'an empty zip' },
  { name: 'a gzip', bytes: gzipSync('cpf'), code: 'not_workbook', says: 'gzip' },
  {
    name: 'an .ods',
    bytes: zipOf({ 'content.xml': '', 'META-INF/manifest.xml': '' }),
    code: 'open_document',
    says: '.ods',
  },
  { name: 'a letter', bytes: rooted('word/document.xml'), code: 'not_workbook', says: 'Office document' },
  { name: 'an .xlsb', bytes: rooted('xl/workbook.bin'), code: 'binary_workbook', says: '.xlsb' },
]

/** A zip that is broken or has wrong headers. */
const zips = (): Hostile[] => [
  { name: 'half a file', bytes: complete.subarray(0, complete.length / 2), code: 'damaged', says: 'the zip' },
  { name: 'a directory elsewhere', bytes: directoryAt(complete, 7), code: 'damaged', says: 'the zip' },
  { name: 'more parts announced', bytes: announcing(complete, 60_000), code: 'damaged', says: 'the zip' },
  {
    name: 'an encrypted part',
    bytes: withParts({}, { [sheet]: { flags: 1 } }),
    code: 'encrypted_part',
    says: 'password',
  },
  {
    name: 'parts that overlap',
    bytes: withParts({}, { [sheet]: { offset: 0 } }),
    code: 'overlapping_parts',
    says: 'shares',
  },
  { name: 'a part twice', bytes: withParts({ 'XL/Workbook.xml': '' }), code: 'damaged', says: 'twice' },
  { name: 'ten thousand parts', bytes: withParts(manyParts(10_000)), code: 'too_large', says: '10000 parts' },
  { name: 'a wrong checksum', bytes: withParts({}, { [strings]: { crc: 1 } }), code: 'damaged', says: 'checksum' },
  {
    name: 'a size that is too small',
    bytes: withParts({}, { [strings]: { claimedSize: 9 } }),
    code: 'damaged',
    says: 'checksum',
  },
  { name: 'packed otherwise', bytes: withParts({}, { [sheet]: { method: 12 } }), code: 'damaged', says: 'unusual' },
  { name: 'broken packing', bytes: brokenPacking(), code: 'damaged', says: sheet },
  { name: 'a missing sheet', bytes: without(sheet), code: 'damaged', says: 'missing' },
  { name: 'a missing workbook', bytes: without('xl/workbook.xml'), code: 'damaged', says: 'missing' },
  { name: 'a bomb as a sheet', bytes: bomb(sheet, 'worksheet'), code: 'too_large', says: '250 bytes for each' },
  { name: 'a bomb as strings', bytes: bomb(strings, 'sst'), code: 'too_large', says: '250 bytes for each' },
  {
    name: 'a bomb as styles',
    bytes: bomb('xl/styles.xml', 'styleSheet'),
    code: 'too_large',
    says: '250 bytes for each',
  },
  {
    name: 'a bomb as the workbook',
    bytes: bomb('xl/workbook.xml', 'workbook'),
    code: 'too_large',
    says: '250 bytes for each',
  },
]

/** XML that is made to expand, to refer elsewhere, or to be misread. */
const markup = (): Hostile[] => [
  {
    name: 'a billion laughs',
    bytes: withSheet(`<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${sheetXml(one)}`),
    code: 'forbidden_xml',
    says: 'document type',
  },
  {
    name: 'a file as entity',
    bytes: withParts({ [strings]: '<!DOCTYPE a SYSTEM "file:///etc/passwd"><sst/>' }),
    code: 'forbidden_xml',
    says: 'document type',
  },
  { name: 'an unknown entity', bytes: withRows(text('<t>&nbsp;</t>')), code: 'forbidden_xml', says: 'entity' },
  {
    name: 'an entity that objects inherit',
    bytes: withRows(text('<t>&toString;</t>')),
    code: 'forbidden_xml',
    says: 'entity',
  },
  { name: 'a lone ampersand', bytes: withRows(text('<t>a & b</t>')), code: 'damaged', says: 'ampersand' },
  { name: 'an impossible character', bytes: withRows(text('<t>&#xD800;</t>')), code: 'forbidden_xml', says: 'entity' },
  { name: 'ten thousand levels', bytes: withRows('<a>'.repeat(10_000)), code: 'too_large', says: '64 levels' },
  {
    name: 'a thousand attributes',
    bytes: withRows(`<row ${manyAttributes()}/>`),
    code: 'too_large',
    says: 'attributes',
  },
  {
    name: 'an endless attribute',
    bytes: withRows(`<row a="${noise(900_000)}"/>`),
    code: 'too_large',
    says: 'in one piece',
  },
  { name: 'an endless comment', bytes: withRows(`<!-- ${noise(900_000)}`), code: 'too_large', says: 'in one piece' },
  {
    name: 'an attribute twice',
    bytes: withParts({ 'xl/workbook.xml': workbookXml('<sheet name="a" name="b" r:id="rId1"/>') }),
    code: 'damaged',
    says: 'twice',
  },
  { name: 'tags that cross', bytes: withRows('<row><c></row></c>'), code: 'damaged', says: 'do not match' },
  {
    name: 'a sheet without an end',
    bytes: withSheet(`<worksheet xmlns="${main}"><sheetData>${one}`),
    code: 'damaged',
    says: 'too early',
  },
  { name: 'a sheet of plain text', bytes: withSheet('cpf;nome'), code: 'damaged', says: 'too early' },
  { name: 'another root', bytes: withSheet(`<chartsheet xmlns="${main}"/>`), code: 'damaged', says: 'no worksheet' },
  {
    name: 'a namespace of its own',
    bytes: withSheet('<worksheet xmlns="urn:x"/>'),
    code: 'damaged',
    says: 'no worksheet',
  },
  {
    name: 'bytes that are no UTF-8',
    bytes: withSheet(Buffer.from(sheetXml(text('<t>ação</t>')), 'latin1')),
    code: 'damaged',
    says: 'UTF-8',
  },
  {
    name: 'another encoding',
    bytes: withSheet(`<?xml version="1.0" encoding="UTF-7"?>${sheetXml('')}`),
    code: 'damaged',
    says: 'UTF-8',
  },
  { name: 'NUL characters', bytes: withRows(text('<t>a\0b</t>')), code: 'damaged', says: 'NUL' },
]

/** Sheets that are larger or odder than any that a person would make. */
const sheets = (): Hostile[] => [
  {
    name: 'a cell too long',
    bytes: withRows(text(`<t>${noise(32_768)}</t>`)),
    code: 'too_large',
    says: '32767 characters',
  },
  {
    name: 'a cell in endless pieces',
    bytes: withRows(text(`<t>${'abc<!---->'.repeat(100_000)}</t>`)),
    code: 'too_large',
    says: '32767 characters',
  },
  {
    name: 'a value in endless pieces',
    bytes: withRows(`<row><c><v>${'123456<!---->'.repeat(100_000)}</v></c></row>`),
    code: 'too_large',
    says: '32767 characters',
  },
  {
    name: 'a column too far',
    bytes: withRows('<row r="1"><c r="XFD1"><v>1</v></c></row>'),
    code: 'too_large',
    says: '2000 columns',
  },
  { name: 'a row too far', bytes: withRows('<row r="1048577"/>'), code: 'too_large', says: '1048576 rows' },
  { name: 'rows that go back', bytes: withRows(`<row r="2"/>${one}`), code: 'damaged', says: 'out of order' },
  { name: 'a row that is no number', bytes: withRows('<row r="NaN"/>'), code: 'damaged', says: 'out of order' },
  {
    name: 'two cells in one place',
    bytes: withRows('<row r="1"><c r="A1"/><c r="A1"/></row>'),
    code: 'damaged',
    says: 'out of order',
  },
  {
    name: 'a place that is none',
    bytes: withRows('<row r="1"><c r="AAAAAAAA1"/></row>'),
    code: 'damaged',
    says: 'out of order',
  },
  {
    name: 'a string that is not there',
    bytes: withRows('<row><c t="s"><v>7</v></c></row>'),
    code: 'damaged',
    says: 'row 1',
  },
  { name: 'a number that is none', bytes: withRows('<row><c><v>1e999</v></c></row>'), code: 'damaged', says: 'row 1' },
  {
    name: 'an unknown kind of cell',
    bytes: withRows('<row><c t="zz"><v>1</v></c></row>'),
    code: 'damaged',
    says: 'row 1',
  },
  {
    name: 'a thousand sheets',
    bytes: withParts({ 'xl/workbook.xml': workbookXml('<sheet name="a" r:id="rId1"/>'.repeat(1_001)) }),
    code: 'too_large',
    says: '1000 sheets',
  },
  {
    name: 'a million styles',
    bytes: withParts({
      'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs>${'<xf/>'.repeat(100_001)}</cellXfs></styleSheet>`,
    }),
    code: 'too_large',
    says: '100000 styles',
  },
  { name: 'no sheet', bytes: withParts({ 'xl/workbook.xml': workbookXml('') }), code: 'no_sheet', says: 'no sheet' },
  {
    name: 'a sheet out of the file',
    bytes: withParts({ 'xl/_rels/workbook.xml.rels': outside('worksheet') }),
    code: 'no_sheet',
    says: 'no sheet',
  },
  {
    name: 'a workbook out of the file',
    bytes: withParts({ '_rels/.rels': outside('officeDocument') }),
    code: 'damaged',
    says: 'missing',
  },
]

export const hostileWorkbooks = (): readonly Hostile[] => {
  made ??= [...strangers(), ...zips(), ...markup(), ...sheets()]
  return made
}
/** Created once: some of them are large, and several tests use them. */
let made: Hostile[] | undefined

const rooted = (target: string): Buffer =>
  zipOf({ '_rels/.rels': relationshipsXml({ [target]: 'officeDocument' }), [target]: '' })

/** The header of an Office 97 file, with one stream in its directory. */
const container = (stream: string): Buffer => {
  const bytes = Buffer.alloc(1024)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(bytes)
  bytes.writeUInt16LE(9, 30)
  bytes.write(stream, 512, 'utf16le')
  return bytes
}

const directoryAt = (zip: Buffer, offset: number): Buffer => {
  const copy = Buffer.from(zip)
  copy.writeUInt32LE(offset, copy.length - 6)
  return copy
}

const announcing = (zip: Buffer, parts: number): Buffer => {
  const copy = Buffer.from(zip)
  copy.writeUInt16LE(parts, copy.length - 12)
  return copy
}

const manyParts = (count: number): Parts =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`xl/media/${i}.png`, '']))

const manyAttributes = (): string => Array.from({ length: 1_000 }, (_, i) => `a${i}=""`).join(' ')

const outside = (type: string): string =>
  relationshipsXml({ 'http://127.0.0.1:9/sheet.xml': type }).replace('/>', ' TargetMode="External"/>')

const without = (part: string): Buffer => {
  const parts = partsOf(one)
  delete parts[part]
  return zipOf(parts)
}

const brokenPacking = (): Buffer => {
  const copy = Buffer.from(zipOf(partsOf(one.repeat(1))))
  const at = copy.indexOf(sheet) + sheet.length
  copy.fill(0xff, at, at + 20)
  return copy
}

/** Text that does not compress well, so that its length is judged and not its ratio. */
const noise = (length: number): string => {
  let seed = 7
  const letters = Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return String.fromCharCode(97 + ((seed >> 16) % 26))
  })
  return letters.join('')
}

/** A part of 600 MB out of 1 MB: one packed megabyte of tags, repeated. */
const bomb = (part: string, root: string): Buffer => {
  const flush = { finishFlush: constants.Z_FULL_FLUSH }
  const tags = deflateRawSync(Buffer.from('<a/>'.repeat(256 * 1024)), flush)
  const opening = deflateRawSync(Buffer.from(`<${root} xmlns="${main}">`), flush)
  const packed = Buffer.concat([opening, ...Array<Buffer>(600).fill(tags), deflateRawSync(Buffer.alloc(0))])
  return zipOf({ ...partsOf(one), [part]: packed }, { [part]: { packed: true, claimedSize: 600 * 1024 * 1024 } })
}
