import { expect, test } from 'vitest'
import { documentTypeOf, formatDocument, maskDocument, readDocument } from '../../src/domain/document.ts'

test.each([
  ['12345678909', 'CPF', '12345678909', []],
  ['123.456.789-09', 'CPF', '12345678909', ['mask']],
  ['123456789-09', 'CPF', '12345678909', ['mask']],
  ['123 456 789 09', 'CPF', '12345678909', ['mask']],
  ['123.456.789/09', 'CPF', '12345678909', ['mask']],
  ['123.456.789–09', 'CPF', '12345678909', ['mask']],
  ['12.345.678.909', 'CPF', '12345678909', ['mask']],
  [' 111.444.777-35\u00a0', 'CPF', '11144477735', ['spaces', 'mask']],
  ['\u200b529982247\u200b25', 'CPF', '52998224725', ['spaces']],
  ['\ufeff52998224725', 'CPF', '52998224725', ['spaces']],
  ['１２３４５６７８９０９', 'CPF', '12345678909', ['width']],
  ["'12345678909", 'CPF', '12345678909', ['text_marker']],
  ['="12345678909"', 'CPF', '12345678909', ['text_marker']],
  ['12345678909.0', 'CPF', '12345678909', ['decimal']],
  ['12345678909,00', 'CPF', '12345678909', ['decimal']],
  ['12ABC34501DE35', 'CNPJ', '12ABC34501DE35', []],
  ['12.ABC.345/01DE-35', 'CNPJ', '12ABC34501DE35', ['mask']],
  ['12.abc.345/01de-35', 'CNPJ', '12ABC34501DE35', ['case', 'mask']],
  ['1234567890E106', 'CNPJ', '1234567890E106', []],
  ['00.000.000/0001-91', 'CNPJ', '00000000000191', ['mask']],
  ['00000000000191', 'CNPJ', '00000000000191', []],
  ['360305000104', 'CNPJ', '00360305000104', ['zeros']],
  ['360.305/0001-04', 'CNPJ', '00360305000104', ['mask', 'zeros']],
])('reads %j as a %s', (cell, type, number, repairs) => {
  expect(readDocument(cell)).toEqual({ document: { type, number }, repairs })
})

test.each([
  ['', 'empty'],
  [' \u00a0\u200b', 'empty'],
  ['-', 'empty'],
  ['N/A', 'characters'],
  ['#REF!', 'characters'],
  ['JOAO', 'characters'],
  ['CPF: 123.456.789-09', 'characters'],
  ['12345678909.12', 'characters'],
  ['12345678909.00', 'characters'],
  ['12345678909 1', 'characters'],
  ['١٢٣٤٥٦٧٨٩٠٩', 'characters'],
  ['12ABC34501DEAB', 'characters'],
  ['1,23457E+13', 'scientific_notation'],
  ['1.23457e+13', 'scientific_notation'],
  ['1E13', 'scientific_notation'],
  ['123', 'length'],
  ['123456789012', 'length'],
  ['123456789012345', 'length'],
  ['1234567890O', 'length'],
  ['12345678909 / 11144477735', 'characters'],
  ['11111111111', 'repeated_digits'],
  ['00000000000', 'repeated_digits'],
  ['00.000.000/0000-00', 'repeated_digits'],
  ['12345678900', 'check_digit'],
  ['12ABC34501DE36', 'check_digit'],
  ['LBNXQOB5000163', 'check_digit'],
  ['191', 'ambiguous'],
])('refuses %j: %s', (cell, reason) => {
  expect(readDocument(cell)).toMatchObject({ refused: reason })
})

test('refuses a cell of megabytes at once', () => {
  const before = process.cpuUsage()
  expect(readDocument('1'.repeat(10_000_000))).toMatchObject({ refused: 'length' })
  expect(readDocument(`1${' '.repeat(10_000_000)}1`)).toMatchObject({ refused: 'length' })
  // Of this process alone: the machine may be busy with others. Anything quadratic takes hours here.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
})

test('accepts the type of the type column', () => {
  const cpf = { document: { type: 'CPF', number: '00000000191' }, repairs: ['zeros'] }
  const cnpj = { document: { type: 'CNPJ', number: '00000000000191' }, repairs: ['zeros'] }
  for (const text of ['CPF', 'cpf ', 'PF', 'Pessoa Física', 'F']) expect(readDocument('191', text)).toEqual(cpf)
  for (const text of ['CNPJ', 'c.n.p.j.', 'PJ', 'JURÍDICA']) expect(readDocument('191', text)).toEqual(cnpj)
})

test('ignores a type column about something else', () => {
  expect(readDocument('12345678909', 'cliente')).toMatchObject({ document: { type: 'CPF' } })
  expect(readDocument('191', '1')).toMatchObject({ refused: 'ambiguous' })
})

test('refuses a document of another type than its row says', () => {
  expect(readDocument('12345678909', 'CNPJ')).toMatchObject({ refused: 'type_mismatch' })
  expect(readDocument('12ABC34501DE35', 'CPF')).toMatchObject({ refused: 'type_mismatch' })
  expect(readDocument('00360305000104', 'PF')).toMatchObject({ refused: 'type_mismatch' })
})

test('removes surplus zeros from a CPF only if the type says CPF', () => {
  const cpf = { document: { type: 'CPF', number: '12345678909' }, repairs: ['zeros'] }
  expect(readDocument('00012345678909', 'CPF')).toEqual(cpf)
  expect(readDocument('00012345678909')).toMatchObject({ refused: 'check_digit' })
})

test('lets the name of the column settle what is ambiguous, and nothing else', () => {
  expect(readDocument('191', undefined, 'CNPJ')).toMatchObject({ document: { type: 'CNPJ' } })
  expect(readDocument('191', 'CPF', 'CNPJ')).toMatchObject({ document: { type: 'CPF' } })
  expect(readDocument('12345678909', undefined, 'CNPJ')).toMatchObject({ document: { type: 'CPF' } })
  expect(readDocument('12ABC34501DE35', '', 'CPF')).toMatchObject({ document: { type: 'CNPJ' } })
})

test('never takes a mistyped CPF for a CNPJ that lost its zeros', () => {
  const taken = Array.from({ length: 20_000 }, (_, i) => readDocument(String(52_998_224_000 + i)))
  expect(taken.filter((snapshot) => 'document' in snapshot && snapshot.document.type === 'CNPJ')).toEqual([])
})

test('shows nothing of the document when it refuses one', () => {
  for (const cell of ['12345678900', '11111111111', '123456789012', '191', '12ABC34501DE36', '1,23457E+13']) {
    const snapshot = readDocument(cell)
    expect('detail' in snapshot && snapshot.detail).not.toContain(cell.slice(0, 6).padEnd(6, '-'))
  }
})

test('writes a document for people, and masked for those who must not see it', () => {
  expect(formatDocument('12345678909')).toBe('123.456.789-09')
  expect(formatDocument('12ABC34501DE35')).toBe('12.ABC.345/01DE-35')
  expect(maskDocument('12345678909')).toBe('***.456.789-**')
  expect(maskDocument('12345678000195')).toBe('**.***.678/0001-**')
  expect(maskDocument('12345')).toBe('***')
})

test('a bare number has the type by its length that reading it gives', () => {
  for (const cell of ['12345678909', '11222333000181', '12ABC34501DE35']) {
    const snapshot = readDocument(cell)
    expect('document' in snapshot && snapshot.document).toEqual({ type: documentTypeOf(cell), number: cell })
  }
})
