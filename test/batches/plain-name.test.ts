import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { plainName } from '../../src/batches/submit.ts'
import { fileNames } from '../security/file-names.ts'
import { anyCharacter } from '../support/any-character.ts'

const check = (name: string): void => {
  const plain = plainName(name)
  expect(plain).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N} ._-]*$/u)
  expect(Buffer.byteLength(plain)).toBeLessThanOrEqual(201)
  expect(plain).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
}

test('each of these names becomes a plain one', () => {
  for (const name of fileNames) check(name)
  expect(['relatório março.csv', '-rf.csv', 'nul.csv', '..', '漢'.repeat(80)].map(plainName)).toEqual([
    'relatório março',
    'rf',
    '_nul',
    'file',
    '漢'.repeat(66),
  ])
})

property.prop([fc.string({ unit: anyCharacter, maxLength: 300 })])('any name at all becomes a plain one', check)
