import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import { main, type Parts, partsOf, relationshipsXml, sheetXml, type Twist, workbookXml, zipOf } from './hand-made.ts'

type Hostile = [name: string, bytes: Buffer, code: string, says: string]

const one = '<row r="1"><c r="A1"><v>1</v></c></row>'
const sheet = 'xl/worksheets/sheet1.xml'
const strings = 'xl/sharedStrings.xml'
const complete = zipOf(partsOf(one))
const withParts = (others: Parts, twists: Record<string, Twist> = {}): Buffer => zipOf(partsOf(one, others), twists)
const withRows = (rows: string): Buffer => zipOf(partsOf(rows))
const withSheets = (sheets: string): Buffer => withParts({ 'xl/workbook.xml': workbookXml(sheets) })
const withSheet = (xml: string | Buffer): Buffer => withParts({ [sheet]: xml })
const text = (value: string): string => `<row><c t="inlineStr"><is>${value}</is></c></row>`

/** Files that are not workbooks. */
const strangers = (): Hostile[] => [
  ['nothing at all', Buffer.alloc(0), 'empty', 'empty'],
  ['a workbook of 1997', container('Workbook'), 'old_excel', '.xls'],
  ['a workbook with a password', container('EncryptedPackage'), 'password', 'password'],
  ['a CSV by another name', Buffer.from('cpf;nome\r\n1;a'), 'not_workbook', '.csv'],
  ['UTF-16 text', Buffer.from('\ufeffcpf', 'utf16le'), 'not_workbook', '.csv'],
  ['a PDF', Buffer.from('%PDF-1.7\n\x00'), 'not_workbook', 'a PDF'],
  ['a picture', Buffer.from('\x89PNG\r\n', 'latin1'), 'not_workbook', 'an image (PNG)'],
  ['a page', Buffer.from('\ufeff <html><table>'), 'not_workbook', 'save it as .xlsx'],
  ['XML of 2003', Buffer.from('<?xml version="1.0"?><Workbook/>'), 'not_workbook', 'XML'],
  ['random bytes', Buffer.from([1, 2, 3, 0, 5]), 'not_workbook', 'something else'],
  ['a zip of a CSV', zipOf({ 'a.csv': 'cpf' }), 'not_workbook', 'unpack it'],
  ['an empty zip', zipOf({}), 'not_workbook', 'an empty zip'],
  ['a gzip', gzipSync('cpf'), 'not_workbook', 'gzip'],
  ['an .ods', zipOf({ 'content.xml': '', 'META-INF/manifest.xml': '' }), 'open_document', '.ods'],
  ['a letter', rooted('word/document.xml'), 'not_workbook', 'Office document'],
  ['an .xlsb', rooted('xl/workbook.bin'), 'binary_workbook', '.xlsb'],
]

/** A zip that is broken or has wrong headers. */
const zips = (): Hostile[] => [
  ['half a file', complete.subarray(0, complete.length / 2), 'damaged', 'the zip'],
  ['a directory elsewhere', directoryAt(complete, 7), 'damaged', 'the zip'],
  ['more parts announced', announcing(complete, 60_000), 'damaged', 'the zip'],
  ['an encrypted part', withParts({}, { [sheet]: { flags: 1 } }), 'encrypted_part', 'password'],
  ['parts that overlap', withParts({}, { [sheet]: { offset: 0 } }), 'overlapping_parts', 'shares'],
  ['a part twice', withParts({ 'XL/Workbook.xml': '' }), 'damaged', 'twice'],
  ['ten thousand parts', withParts(manyParts(10_000)), 'too_large', '10000 parts'],
  ['a wrong checksum', withParts({}, { [strings]: { crc: 1 } }), 'damaged', 'checksum'],
  ['a size that is too small', withParts({}, { [strings]: { claimedSize: 9 } }), 'damaged', 'checksum'],
  ['packed otherwise', withParts({}, { [sheet]: { method: 12 } }), 'damaged', 'unusual'],
  ['broken packing', brokenPacking(), 'damaged', sheet],
  ['a missing sheet', without(sheet), 'damaged', 'missing'],
  ['a missing workbook', without('xl/workbook.xml'), 'damaged', 'missing'],
  ['a bomb as a sheet', bomb(sheet, 'worksheet'), 'too_large', '250 bytes for each'],
  ['a bomb as strings', bomb(strings, 'sst'), 'too_large', '250 bytes for each'],
  ['a bomb as styles', bomb('xl/styles.xml', 'styleSheet'), 'too_large', '250 bytes for each'],
  ['a bomb as the workbook', bomb('xl/workbook.xml', 'workbook'), 'too_large', '250 bytes for each'],
]

const laughs = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
const passwords = '<!DOCTYPE a SYSTEM "file:///etc/passwd">'

/** XML that is made to expand, to refer elsewhere, or to be misread. */
const markup = (): Hostile[] => [
  ['a billion laughs', withSheet(`${laughs}${sheetXml(one)}`), 'forbidden_xml', 'document type'],
  ['a file as entity', withParts({ [strings]: `${passwords}<sst/>` }), 'forbidden_xml', 'document type'],
  ['an unknown entity', withRows(text('<t>&nbsp;</t>')), 'forbidden_xml', 'entity'],
  ['an entity that objects inherit', withRows(text('<t>&toString;</t>')), 'forbidden_xml', 'entity'],
  ['a lone ampersand', withRows(text('<t>a & b</t>')), 'damaged', 'ampersand'],
  ['an impossible character', withRows(text('<t>&#xD800;</t>')), 'forbidden_xml', 'entity'],
  ['ten thousand levels', withRows('<a>'.repeat(10_000)), 'too_large', '64 levels'],
  ['a thousand attributes', withRows(`<row ${manyAttributes()}/>`), 'too_large', 'attributes'],
  ['an endless attribute', withRows(`<row a="${noise(900_000)}"/>`), 'too_large', 'in one piece'],
  ['an endless comment', withRows(`<!-- ${noise(900_000)}`), 'too_large', 'in one piece'],
  ['an attribute twice', withSheets('<sheet name="a" name="b" r:id="rId1"/>'), 'damaged', 'twice'],
  ['tags that cross', withRows('<row><c></row></c>'), 'damaged', 'do not match'],
  ['a sheet without an end', withSheet(`<worksheet xmlns="${main}"><sheetData>${one}`), 'damaged', 'too early'],
  ['a sheet of plain text', withSheet('cpf;nome'), 'damaged', 'too early'],
  ['another root', withSheet(`<chartsheet xmlns="${main}"/>`), 'damaged', 'no worksheet'],
  ['a namespace of its own', withSheet('<worksheet xmlns="urn:x"/>'), 'damaged', 'no worksheet'],
  ['bytes that are no UTF-8', withSheet(Buffer.from(sheetXml(text('<t>ação</t>')), 'latin1')), 'damaged', 'UTF-8'],
  ['another encoding', withSheet(`<?xml version="1.0" encoding="UTF-7"?>${sheetXml('')}`), 'damaged', 'UTF-8'],
  ['NUL characters', withRows(text('<t>a\0b</t>')), 'damaged', 'NUL'],
]

/** Sheets that are larger or odder than any that a person would make. */
const sheets = (): Hostile[] => [
  ['a cell too long', withRows(text(`<t>${noise(32_768)}</t>`)), 'too_large', '32767 characters'],
  ['a cell in endless pieces', withRows(text(`<t>${pieces('abc')}</t>`)), 'too_large', '32767 characters'],
  [
    'a value in endless pieces',
    withRows(`<row><c><v>${pieces('123456')}</v></c></row>`),
    'too_large',
    '32767 characters',
  ],
  ['a column too far', withRows('<row r="1"><c r="XFD1"><v>1</v></c></row>'), 'too_large', '2000 columns'],
  ['a row too far', withRows('<row r="1048577"/>'), 'too_large', '1048576 rows'],
  ['rows that go back', withRows(`<row r="2"/>${one}`), 'damaged', 'out of order'],
  ['a row that is no number', withRows('<row r="NaN"/>'), 'damaged', 'out of order'],
  ['two cells in one place', withRows('<row r="1"><c r="A1"/><c r="A1"/></row>'), 'damaged', 'out of order'],
  ['a place that is none', withRows('<row r="1"><c r="AAAAAAAA1"/></row>'), 'damaged', 'out of order'],
  ['a string that is not there', withRows('<row><c t="s"><v>7</v></c></row>'), 'damaged', 'row 1'],
  ['a number that is none', withRows('<row><c><v>1e999</v></c></row>'), 'damaged', 'row 1'],
  ['an unknown kind of cell', withRows('<row><c t="zz"><v>1</v></c></row>'), 'damaged', 'row 1'],
  ['a thousand sheets', withSheets('<sheet name="a" r:id="rId1"/>'.repeat(1_001)), 'too_large', '1000 sheets'],
  ['a million styles', withParts({ 'xl/styles.xml': manyStyles() }), 'too_large', '100000 styles'],
  ['no sheet', withSheets(''), 'no_sheet', 'no sheet'],
  ['a sheet elsewhere', withParts({ 'xl/_rels/workbook.xml.rels': outside('worksheet') }), 'no_sheet', 'no sheet'],
  ['a workbook out of the file', withParts({ '_rels/.rels': outside('officeDocument') }), 'damaged', 'missing'],
]

export const hostileWorkbooks = () =>
  [...strangers(), ...zips(), ...markup(), ...sheets()].map(([name, bytes, code, says]) => ({
    name,
    bytes,
    code,
    says,
  }))

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

/** A text in many pieces, none of which is long. */
const pieces = (text: string): string => `${text}<!---->`.repeat(100_000)

const manyStyles = (): string =>
  `<styleSheet xmlns="${main}"><cellXfs>${'<xf/>'.repeat(100_001)}</cellXfs></styleSheet>`

const manyAttributes = (): string => Array.from({ length: 1_000 }, (_, i) => `a${i}=""`).join(' ')

const outside = (type: string): string =>
  relationshipsXml({ 'http://127.0.0.1:9/sheet.xml': type }).replace('/>', ' TargetMode="External"/>')

const without = (part: string): Buffer => {
  const parts = partsOf(one)
  delete parts[part]
  return zipOf(parts)
}

const brokenPacking = (): Buffer => {
  const copy = Buffer.from(zipOf(partsOf(one)))
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

/** A part of 600 MB out of less than 1 MB: one packed megabyte of tags, repeated. */
const bomb = (part: string, root: string): Buffer => {
  const flush = { finishFlush: constants.Z_FULL_FLUSH }
  const tags = deflateRawSync(Buffer.from(`<a b="${'x'.repeat(1_017)}"/>`.repeat(1_024)), flush)
  const opening = deflateRawSync(Buffer.from(`<${root} xmlns="${main}">`), flush)
  const packed = Buffer.concat([opening, ...Array<Buffer>(600).fill(tags), deflateRawSync(Buffer.alloc(0))])
  return zipOf({ ...partsOf(one), [part]: packed }, { [part]: { packed: true, claimedSize: 600 * 1024 * 1024 } })
}
