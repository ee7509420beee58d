import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { readWorkbook } from '../../../src/files/xlsx/read-workbook.ts'
import { rowXml } from '../../../src/files/xlsx/write/cell-xml.ts'
import { writeZip } from '../../../src/files/xlsx/write/zip-writer.ts'
import { writeWorkbook } from '../../../src/files/xlsx/write-workbook.ts'
import { main, partsOf } from './hand-made.ts'

/** Writes or reads a workbook of the given number of rows, and prints the number of rows and the peak memory. */
const [task, path, count] = process.argv.slice(2) as ['write' | 'share' | 'read', string, string]
const rows = Number(count)
const done = await { write, share, read }[task]()
const status = await readFile('/proc/self/status', 'utf8')
process.stdout.write(JSON.stringify({ rows: done, mebibytes: Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024 }))

/** Our own form: each text in its cell. */
async function write(): Promise<number> {
  const line = (i: number) =>
    rowXml([
      { text: String(i).padStart(11, '0'), type: 't' },
      { text: `Fulano de Tal número ${i}`, type: 't' },
      { text: `ref-${i}`, type: 't' },
      { text: `${i}.25`, type: 'n', look: 'amount' },
      { text: '2026-11-15', type: 'd' },
    ])
  const columns = ['Documento', 'Nome', 'Ref', 'Valor', 'Data'].map((header) => ({ header, width: 20 }))
  const properties = { title: 'Relatório', creator: 'Vigia', created: new Date(0) }
  await writeWorkbook(createWriteStream(path), {
    properties,
    sheets: [{ name: 'a', columns, rows: { lines: pieces(line) } }],
  })
  return rows
}

/** Excel's form: each text once, in the shared strings; here all of them differ. */
async function share(): Promise<number> {
  const zip = writeZip(createWriteStream(path))
  const { 'xl/worksheets/sheet1.xml': _sheet, 'xl/sharedStrings.xml': _strings, ...others } = partsOf('')
  for (const [name, xml] of Object.entries(others)) await zip.add(name, [Buffer.from(xml)])
  const texts = (i: number) =>
    `<si><t>${String(i).padStart(11, '0')}</t></si><si><t>Fulano de Tal número ${i}</t></si><si><t>ref-${i}</t></si>`
  await zip.add('xl/sharedStrings.xml', pieces(texts, `<sst xmlns="${main}">`, '</sst>'))
  const cells = (i: number) =>
    `<row r="${i + 1}"><c r="A${i + 1}" t="s"><v>${3 * i}</v></c><c r="B${i + 1}" t="s"><v>${3 * i + 1}</v></c>` +
    `<c r="C${i + 1}" t="s"><v>${3 * i + 2}</v></c><c r="D${i + 1}"><v>${i}.25</v></c><c r="E${i + 1}"><v>${i % 97}</v></c></row>`
  const [open, close] = [`<worksheet xmlns="${main}"><sheetData>`, '</sheetData></worksheet>']
  await zip.add('xl/worksheets/sheet1.xml', pieces(cells, open, close))
  await zip.end()
  return rows
}

async function read(): Promise<number> {
  await using workbook = await readWorkbook(createReadStream(path))
  let found = 0
  for await (const batch of workbook.rows(workbook.sheets[0]!.name)) found += batch.length
  return found
}

async function* pieces(make: (i: number) => string, open = '', close = ''): AsyncGenerator<Buffer> {
  let text = open
  for (let i = 0; i < rows; i++) {
    text += make(i)
    if (text.length < 64 * 1024) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text + close)
}
