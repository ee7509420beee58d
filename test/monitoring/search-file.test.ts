import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { searchFor } from '../../src/domain/person-search.ts'
import { threadLimits } from '../../src/files/thread/read-in-thread.ts'
import { searchFile } from '../../src/monitoring/search-file.ts'
import { partsOf, sheetXml, workbookXml, zipOf } from '../files/xlsx/hand-made.ts'
import { cpf } from '../support/documents.ts'

const search = searchFor(cpf(3))

const bytesOf = (content: string | Buffer) =>
  async function* () {
    yield Buffer.from(content)
  }

test('a workbook whose thousand sheets are one part is searched once', async () => {
  const row = (value: string) => `<row><c><v>${value}</v></c></row>`
  const sheets = Array.from({ length: 1_000 }, (_, i) => `<sheet name="${i}" r:id="rId1"/>`).join('')
  const parts = partsOf(`${row('1').repeat(300_000)}${row(cpf(3))}`, { 'xl/workbook.xml': workbookXml(sheets) })
  const limits = { ...threadLimits, milliseconds: threadLimits.milliseconds / 2 }
  expect(await searchFile(bytesOf(zipOf(parts)), search, limits)).toMatchObject({ rows: 1 })
})

const [first, second] = [cpf(3).slice(0, 5), cpf(3).slice(5)]

test.each([
  ['a text of a sheet that no cell shows', 'xl/sharedStrings.xml', `<sst><si><t>${cpf(3)}</t></si></sst>`],
  ['a comment', 'xl/comments1.xml', `<c><text><r><t>CPF ${first}</t></r><r><t>${second}</t></r></text></c>`],
  ['the figures that a chart shows', 'xl/charts/chart1.xml', `<c><v>${cpf(3)}</v></c>`],
  ['a figure with an exponent', 'xl/charts/chart1.xml', `<c><v>1.1222333000181E13</v></c>`, '11222333000181'],
  ['a drawing', 'xl/drawings/drawing1.xml', `<a xmlns:a="x"><a:p><a:t>${first}</a:t><a:t>${second}</a:t></a:p></a>`],
  [
    'a defined name',
    'xl/workbook.xml',
    workbookXml('<sheet name="a" r:id="rId1"/>', `<definedName name="x">"${cpf(3)}"</definedName>`),
  ],
  [
    'a link',
    'xl/worksheets/_rels/sheet1.xml.rels',
    `<Relationships><Relationship Target="mailto:${cpf(3)}@x"/></Relationships>`,
  ],
  ['a formula', 'xl/worksheets/sheet1.xml', sheetXml(`<row><c><f>"${cpf(3)}"&amp;A2</f><v>x</v></c></row>`)],
  ['entities', 'docProps/core.xml', `<a>${[...cpf(3)].map((digit) => `&#${digit.charCodeAt(0)};`).join('')}</a>`],
  ['a part that is not XML', 'xl/vbaProject.bin', `Sub x\0${cpf(3)}\0`],
])('a person is found in %s', async (_, part, content, document = cpf(3)) => {
  const workbook = zipOf(partsOf('', { [part]: content }))
  expect(await searchFile(bytesOf(workbook), searchFor(document))).toMatchObject({ rows: 1 })
  expect(await searchFile(bytesOf(workbook), searchFor(cpf(8)))).toMatchObject({ rows: 0 })
})

test('a refused file of any kind is about a person only by their document, not by a longer number that contains it', async () => {
  const [before, after] = ['7', '42']
  const longer = `${before}${cpf(3)}${after}`
  const texts = [
    `<html><body>Protocolo ${longer}</body></html>`,
    `%PDF-1.4\n${longer} 0 obj\n`,
    `"nome;documento\nAna;${longer}\n`,
    `nome\tcodigo\nAna\t${cpf(3)}${after}\n`,
  ]
  const pages = texts.flatMap((text) => [
    Buffer.from(text),
    Buffer.from(text, 'utf16le'),
    Buffer.from(`PK\x03\x04${text}\0`),
  ])
  for (const page of pages) expect(await searchFile(bytesOf(page), search)).toMatchObject({ rows: 0 })
  for (const text of [`<p>${cpf(3)}</p>`, `PK\x03\x04 ${cpf(3)}\0`])
    expect(await searchFile(bytesOf(text), search)).toMatchObject({ rows: 1 })
})

test('a file that takes too long is searched as bytes, and holds nobody up', async () => {
  const delay = monitorEventLoopDelay()
  delay.enable()
  const text = `documento;nome\n${`${cpf(4)};Ana\n`.repeat(20_000)}${cpf(3)};Rui\n`
  const limits = { ...threadLimits, milliseconds: 0, millisecondsPerMiB: 0 }
  expect(await searchFile(bytesOf(text), search, limits)).toEqual({ rows: 1, text: null })
  expect(await searchFile(bytesOf(text), searchFor(cpf(5)), limits)).toEqual({ rows: 0, text: null })
  expect(delay.max / 1e6).toBeLessThan(5_000)
})
