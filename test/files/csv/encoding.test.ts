import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import type { Encoding } from '../../../src/files/csv/dialect.ts'
import { decodeText, encodeInto, encodeText } from '../../../src/files/csv/encoding.ts'
import { collect, inPieces, joined } from './bytes.ts'

const encodings: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']

test('knows every character of Windows-1252, curly quotes and the euro among them', async () => {
  const bytes = Buffer.from(
    Array.from({ length: 255 }, (_, i) => i + 1).filter((byte) => ![0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)),
  )
  const text = (await joined(decodeText(inPieces(bytes, 10), { encoding: 'windows-1252', bom: false }))).toString()
  expect(text).toContain('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\u00a0¡')
  expect(text.endsWith('üýþÿ')).toBe(true)
  expect(encodeInto('windows-1252').encode(text)).toEqual(bytes)
})

test('writes ? for what Windows-1252 lacks, and counts it', () => {
  const encoder = encodeInto('windows-1252')
  expect(encoder.encode('João – 😀 Łódź \u0081').toString('latin1')).toBe('João \x96 ? ?ód? ?')
  expect(encoder.lost).toBe(4)
})

test('refuses a bad byte with its line also while decoding', async () => {
  const bytes = Buffer.from('a\nb\n\x90', 'latin1')
  const decoding = collect(decodeText(inPieces(bytes, 2), { encoding: 'windows-1252', bom: false }))
  await expect(decoding).rejects.toMatchObject({ code: 'undecodable', line: 3 })
})

const character = fc.oneof(
  fc.constantFrom(...'aZ0;,"\r\n\téçÃ“”€–\u00a0'),
  fc.constantFrom('😀', '漢', '\u200b', '\ufeff'),
)

property.prop([
  fc.array(character, { maxLength: 60 }).map((characters) => characters.join('')),
  fc.constantFrom(...encodings),
  fc.boolean(),
  fc.integer({ min: 1, max: 9 }),
])('gives every text back that it encoded, in whatever pieces', async (drawn, encoding, labelled, pieces) => {
  const text = encoding === 'windows-1252' ? drawn.replace(/[^\0-\xff“”€–]/gu, 'x') : drawn
  const dialect = { encoding, bom: labelled && encoding !== 'windows-1252' }
  const bytes = await joined(encodeText(inPieces(Buffer.from(text), pieces), dialect))
  expect((await joined(decodeText(inPieces(bytes, pieces), dialect))).toString()).toBe(text)
})
