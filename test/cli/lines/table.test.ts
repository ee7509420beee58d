import { stripVTControlCharacters, styleText } from 'node:util'
import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { type Column, renderTable } from '../../../src/cli/lines/texts.ts'

const columns: Column<string[]>[] = [
  ['batch', ([batch]) => batch],
  ['rows', ([, rows]) => rows, 'right'],
  ['file', ([, , file]) => file],
]

test('columns line up, numbers on the right', () => {
  const rows = [
    ['1', '20', 'clientes.csv'],
    ['12', '500000', 'carteira.csv'],
  ]
  expect(plain(renderTable(rows, columns))).toBe(
    ['batch    rows  file', '1          20  clientes.csv', '12     500000  carteira.csv'].join('\n'),
  )
})

test('the widest column is cut to the width of the terminal', () => {
  const rows = [['1', '20', 'carteira-de-clientes-2026-11.csv']]
  expect(plain(renderTable(rows, columns, 30)).split('\n')[1]).toBe('1        20  carteira-de-clie…')
})

test('free text is cut before a time is', () => {
  const rows = [{ when: '2026-11-15 10:12:05', name: 'a-long-name-of-a-file.csv' }]
  const nameLast: Column<(typeof rows)[number]>[] = [
    ['when', ({ when }) => when],
    ['name', ({ name }) => name, 'free'],
  ]
  const table = renderTable(rows, nameLast, 30)
  expect(plain(table).split('\n')[1]).toBe('2026-11-15 10:12:05  a-long-n…')
})

test('a coloured cell is as wide as its letters', () => {
  const cell = styleText('red', 'held', { validateStream: false })
  expect(
    plain(
      renderTable(
        [cell],
        [
          ['state', (text) => text],
          ['x', () => 'y'],
        ],
      ),
    ),
  ).toBe('state  x\nheld   y')
})

test('a line break inside a cell stays on its line', () => {
  expect(renderTable(['a\nb'], [['name', (text) => text]]).split('\n')).toHaveLength(2)
})

property.prop([fc.array(fc.tuple(fc.string(), fc.string(), fc.string())), fc.integer({ min: 16, max: 200 })])(
  'no line is wider than the terminal',
  (rows, width) => {
    for (const line of plain(renderTable(rows, columns, width)).split('\n')) {
      expect([...line].length).toBeLessThanOrEqual(width)
    }
  },
)

const plain = (text: string): string => stripVTControlCharacters(text)
