import { expect, test } from 'vitest'
import { isCnpj, isCpf, isProcessNumber } from '../../src/sandbox/data/document-check.ts'

test.each([
  [isCpf, ['52998224725'], ['52998224726', '529.982.247-25', '00000000000']],
  [
    isCnpj,
    ['12ABC34501DE35', '11222333000181'],
    ['LBNXQOB5000163', '12abc34501de35', '12.ABC.345/01DE-35', '00000000000000', ' 11222333000181'],
  ],
  [isProcessNumber, ['0058967-77.2016.8.19.0000', '00000017820208260100'], ['0058967-78.2016.8.19.0000', '1']],
])('%o takes what is right as the interface shows it, and nothing else', (check, right, wrong) => {
  expect(right.filter(check)).toEqual(right)
  expect(wrong.filter(check)).toEqual([])
})
