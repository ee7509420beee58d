import { fc, test as prop } from '@fast-check/vitest'
import { isCNPJ as oracleCnpj, isCPF as oracleCpf } from 'validation-br'
import { expect, test } from 'vitest'
import { isCnpj, isCpf, isProcessNumber } from '../../src/sandbox/data/document-check.ts'
import { cpf } from './ask.ts'

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))

prop.prop([fc.oneof(digits(11), fc.nat(99_999_999).map(cpf))])('agrees with an oracle about CPFs', (text) => {
  expect(isCpf(text)).toBe(oracleCpf(text))
})

prop.prop([digits(14)])('agrees with an oracle about CNPJs', (text) => {
  expect(isCnpj(text)).toBe(oracleCnpj(text))
})

test.each(['12ABC34501DE35', '11222333000181'])('takes the CNPJ %s', (text) => {
  expect(isCnpj(text)).toBe(true)
})

test.each(['LBNXQOB5000163', '12abc34501de35', '00000000000000', ' 11222333000181'])('refuses the CNPJ %s', (text) => {
  expect(isCnpj(text)).toBe(false)
})

test('accepts real process numbers, masked or not', () => {
  expect(isProcessNumber('0058967-77.2016.8.19.0000')).toBe(true)
  expect(isProcessNumber('00000017820208260100')).toBe(true)
  expect(isProcessNumber('0058967-78.2016.8.19.0000')).toBe(false)
})
