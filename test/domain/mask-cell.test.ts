import { expect, test } from 'vitest'
import { maskCell } from '../../src/domain/mask-documents.ts'

test.each([
  ['529.982.247-25', '***.982.247-**'],
  ['52998224725', '***.982.247-**'],
  ['529.982.247-2', '***.982.24*-*'],
  ['529_982_247_26', '***_982_247_**'],
  ['123', '123'],
  ['não informado', 'não informado'],
])('%s is shown as %s', (cell, shown) => {
  expect(maskCell(cell)).toBe(shown)
})

/** Nine digits of a CPF determine the other two. */
test.each([
  'Filial 001 - 529.982.247-25',
  '529.982.247-25, 111.444.777-35',
  '529.982.247-25 ou 52998224725',
  'Pedido 123 do CPF 529.982.247-25 em 2024',
  'Filial 001 - 529.982.247-26x',
  '111.444.777-3 e 529.982.247-2',
  '529 . 982 . 247 - 25 / 111 . 444 . 777 - 35',
])('no document can be read from %s', (cell) => {
  const shown = maskCell(cell).replaceAll(/[^\d*]/g, '')
  for (const number of ['529982247', '111444777']) expect(shown).not.toContain(number)
  expect(maskCell(cell)).not.toMatch(/529.?982.?247|111.?444.?777/)
})
