import { expect, test } from 'vitest'
import { detectDialect } from '../../../src/files/csv/detect-dialect.ts'
import { inPieces } from './bytes.ts'

const detect = (content: string | Buffer, pieces?: number) =>
  detectDialect(inPieces(typeof content === 'string' ? Buffer.from(content) : content, pieces))

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const undecodable = (line: number) => ({ code: 'undecodable', line })

test('takes a file of accents in UTF-8 for UTF-8, however it is cut into pieces', async () => {
  for (const pieces of [1, 2, 3, 7, 1_000]) {
    expect(await detect('documento;nome\n1;José — 😀\n', pieces)).toMatchObject({ encoding: 'utf-8', bom: false })
  }
})

test('detects Windows-1252 by a single byte at the end of a long file', async () => {
  const ascii = `documento;nome\r\n${'12345678909;Jose\r\n'.repeat(100_000)}`
  const bytes = Buffer.concat([Buffer.from(ascii), Buffer.from([0xe9])])
  expect(await detect(bytes, 65_536)).toMatchObject({ encoding: 'windows-1252', newline: '\r\n' })
  expect(await detect(ascii, 65_536)).toMatchObject({ encoding: 'utf-8' })
})

test('knows UTF-16 with a byte order mark and without one', async () => {
  const text = 'documento\tnome\r\n1\tJosé “x”\r\n'
  const little = Buffer.from(text, 'utf16le')
  const big = Buffer.from(little).swap16()
  expect(await detect(little)).toMatchObject({ encoding: 'utf-16le', bom: false, delimiter: '\t' })
  expect(await detect(big)).toMatchObject({ encoding: 'utf-16be', bom: false, delimiter: '\t' })
  expect(await detect(Buffer.concat([Buffer.from([0xff, 0xfe]), little]), 3)).toMatchObject({ bom: true })
  expect(await detect(Buffer.concat([Buffer.from([0xfe, 0xff]), big]), 3)).toMatchObject({ bom: true })
})

test.each([
  ['documento;nome;valor\n1;"a, b";1,50\n2;c, d;2,50\n', ';', ','],
  ['documento,nome\n1,"a; b"\n2,c\n', ',', '.'],
  ['documento|valor\n1|1.50\n', '|', '.'],
  ['documento\tvalor\n1\t1,50\n', '\t', ','],
  ['nome, completo;cpf\na, b;1\nc, d;2\n', ';', ','],
  ['documento\n1,23457E+13\n', ';', ','],
  ['documento\n12345678909\n', ';', ','],
  ['documento,a;b\n1,2;3\n', ',', '.'],
])('finds the delimiter of %j', async (text, delimiter, decimal) => {
  expect(await detect(text)).toMatchObject({ delimiter, decimal })
})

test.each([
  ['d;documento\r\n1;"a\nb\nc\nd"\r\n', '\r\n'],
  ['"docu\nmento";documento\r\n1;2\r\n', '\r\n'],
  ['documento;n\n1;2\r\n', '\n'],
  ['documento;n\r1;2\r', '\r'],
  ['documento', '\r\n'],
  ['sep=;\r\r\nnome;documento\r\r\n\r\r\nAna;1\r\n', '\r\n'],
])('finds the line ending of %j', async (text, newline) => {
  expect(await detect(text)).toMatchObject({ newline })
})

test('obeys a sep= line', async () => {
  expect(await detect('sep=|\r\ndocumento|a;b;c\r\n1|2;3;4\r\n')).toMatchObject({ sepLine: true, delimiter: '|' })
  expect(await detect('"sep=,"\ndocumento,n\n')).toMatchObject({ sepLine: true, delimiter: ',' })
  expect(await detect('separador;documento\n')).toMatchObject({ sepLine: false })
  await expect(detect('sep=#\na#b\n')).rejects.toMatchObject({ code: 'unknown_separator', line: 1 })
})

test.each([
  ['12345678909\n11144477735\n', false],
  ['123.456.789-09\n', false],
  ['12ABC34501DE35\n', false],
  ['12345678900\n12345678909\n', false],
  ['1,23457E+13\n', false],
  ['="12345678909"\n', false],
  ['0058967-77.2016.8.19.0000\n', false],
  ['documento\n12345678909\n', true],
  ['cpf\n', true],
  ['"documento"\r\r\n"52998224725"\r\r\n', true],
  ['12345678909;José\n11144477735;Ana\n', true],
])('in %j detects a header: %s', async (text, header) => {
  expect(await detect(text)).toMatchObject({ header })
})

test('is not led astray by a stray quote in the first rows', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => `${i};nome ${i};x`).join('\n')
  expect(await detect(`documento;nome;x\n1;"abc;x\n${rows}\n`)).toMatchObject({ delimiter: ';', newline: '\n' })
})

test.each([
  ['an empty file', Buffer.alloc(0), { code: 'empty' }],
  ['a file of blank lines', Buffer.from('\r\n \r\n'), { code: 'empty' }],
  ['a file of nothing but a mark', Buffer.from([0xef, 0xbb, 0xbf]), { code: 'empty' }],
  ['an Excel workbook', Buffer.from('PK\x03\x04rest'), { code: 'not_text' }],
  ['a NUL', Buffer.from('documento\n1\n2\0\n'), { code: 'nul', line: 3 }],
  ['a NUL among accents', latin1('documento;n\n1;\xe9\n2;\0\n'), { code: 'nul', line: 3 }],
  ['a byte that Windows-1252 lacks', latin1('documento\n1\n2\xe9\n3\x81\n'), undecodable(4)],
  ['broken UTF-8 behind its mark', latin1('\xef\xbb\xbfdocumento\n1\n\xe9x\n'), undecodable(3)],
  ['UTF-8 cut off behind its mark', latin1('\xef\xbb\xbfdocumento\n1\n\xc3'), undecodable(3)],
  ['a lone surrogate', Buffer.from('\ufeffdocumento\n1\n\ud800x\n', 'utf16le'), undecodable(3)],
  ['half a UTF-16 unit', Buffer.from('\ufeffdocumento\n1A', 'utf16le').subarray(0, -1), undecodable(2)],
])('refuses %s and names the line', async (_, bytes, problem) => {
  for (const pieces of [1, 5, 1_000]) {
    await expect(detect(bytes, pieces)).rejects.toMatchObject({ name: 'FileProblem', ...problem })
  }
})

test('says in the message where and what to do', async () => {
  const refusal = detect(Buffer.from('documento\n1\x81\n', 'latin1'))
  await expect(refusal).rejects.toThrow('line 2: byte 0x81 is no windows-1252 text: save the file again as "CSV UTF-8"')
})

test.each([
  ['undecodable', Buffer.alloc(300_000, 0xff), '\ufeffdocumento\n'],
  ['not_text', Buffer.alloc(300_000), 'PK\x03\x04'],
])('closes the source when it refuses a file as %s', async (code, endless, beginning) => {
  let released = false
  async function* source() {
    try {
      yield Buffer.from(beginning)
      for (;;) yield endless
    } finally {
      released = true
    }
  }
  await expect(detectDialect(source())).rejects.toMatchObject({ code })
  expect(released).toBe(true)
})
