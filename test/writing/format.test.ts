import { expect, test } from 'vitest'
import { en, ptBr } from '../../src/messages/labels.ts'
import { chooseLabels } from '../../src/web/visit.ts'
import { createFormat } from '../../src/writing/format.ts'

const format = createFormat('America/Sao_Paulo', ptBr)
const english = createFormat('America/Sao_Paulo', en)

test('numbers, amounts, dates and spans are written as in Brazil', () => {
  expect(format.count(1_234_567)).toBe('1.234.567')
  expect(format.cents(-123_456_789_012_345_678n).replace(/\s/g, ' ')).toBe('-R$ 1.234.567.890.123.456,78')
  expect(format.cents(-5n).replace(/\s/g, ' ')).toBe('-R$ 0,05')
  expect(format.moment(new Date('2026-11-15T03:05:00Z'))).toBe('15/11/2026 00:05')
  expect(format.day('2026-11-15')).toBe('15/11/2026')
  expect([500, 59_600, 65_000, 3_600_000, 90_000_000, 200_000_000].map(format.duration)).toEqual([
    '1 s',
    '1 min 00 s',
    '1 min 05 s',
    '1 h 00 min',
    '25 h 00 min',
    '2 d 7 h',
  ])
  expect([0, 1023, 1536, 1_073_741_824].map(format.bytes)).toEqual(['0 bytes', '1.023 bytes', '1,5 KB', '1 GB'])
})

test('the English page writes its numbers and amounts the English way, and days as Brazil does', () => {
  expect(english.count(2_000)).toBe('2,000')
  expect(english.share(0.9876)).toBe('98.8%')
  expect(english.cents(123_456n).replace(/\s/g, '')).toBe('R$1,234.56')
  expect([1023, 1536].map(english.bytes)).toEqual(['1,023 bytes', '1.5 KB'])
  expect(english.moment(new Date('2026-11-15T03:05:00Z'))).toBe('15/11/2026 00:05')
})

test('a text from outside never shows a full document', () => {
  expect(format.text('CPF 529.982.247-25 unknown')).toBe('CPF ***.982.247-** unknown')
})

test('the page uses the chosen language, or the first supported language of the browser', () => {
  const language = (header?: string) => chooseLabels(header).language
  expect(language('pt-BR,pt;q=0.9,en;q=0.8')).toBe('pt-BR')
  expect(language('de,en;q=0.5,pt;q=0.4')).toBe('en')
  expect(language('en;q=0.3, pt;q=0.7')).toBe('pt-BR')
  expect(language('fr')).toBe('en')
  expect(language()).toBe('en')
  expect(chooseLabels('en', 'pt-BR').language).toBe('pt-BR')
  expect(chooseLabels('pt-BR', 'constructor').language).toBe('pt-BR')
})

test('no text of one language is missing or empty in the other', () => {
  const keys = (value: object, path = ''): string[] =>
    Object.entries(value).flatMap(([key, each]) =>
      typeof each === 'object' ? keys(each as object, `${path}${key}.`) : each === '' ? [] : [`${path}${key}`],
    )
  expect(keys(ptBr)).toEqual(keys(en))
})
