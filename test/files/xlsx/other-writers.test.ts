import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sheetsIn } from '../../support/read-report.ts'

/** `test/fixtures/xlsx/make.py` says how these were made. */
const rowsOf = async (file: string): Promise<unknown[]> => {
  const { Clientes } = await sheetsIn(join(import.meta.dirname, '../../fixtures/xlsx', file))
  return Clientes!.map(({ number, hidden, types, cells }) => [number, hidden ? 'hidden' : 'shown', types, ...cells])
}

test('a workbook by openpyxl is read completely', async () => {
  expect(await rowsOf('openpyxl.xlsx')).toEqual([
    [1, 'shown', 't', 'Relação de clientes'],
    [3, 'shown', 'tttttt', 'CPF do Cliente', 'Razão Social', 'Valor', 'Desde', 'Ativo', 'Obs.'],
    [
      4,
      'shown',
      'ntndbt',
      '12345678909',
      'São João & Filhos <ME>',
      '1234.56',
      '2024-02-29',
      'TRUE',
      'linha 1\nlinha 2',
    ],
    [5, 'hidden', 'ntnDbe', '11222333000181', '=1+1', '-0.1', '2026-11-15 08:30:00', 'FALSE', '#N/A'],
    [6, 'shown', 'ttxh-f', '000.000.001-91', 'Ünïcödé €😀', '10000000000000000000', '08:30:00', '', ''],
    [7, 'shown', 'z', '00000000191'],
  ])
})

test('a workbook by LibreOffice is read completely', async () => {
  expect(await rowsOf('libreoffice.xlsx')).toEqual([
    [1, 'shown', 'ttttt', 'CPF', 'Nome', 'Desde', 'Dobro', 'Erro'],
    [2, 'shown', 'ntdne', '11222333000181', 'São João & Cia\nlinha 2', '2026-11-15', '22444666000362', '#N/A'],
    [3, 'hidden', 't--tn', '00000000191', '', '', 'ab', '1'],
  ])
})

test('a workbook by hucre is read completely', async () => {
  expect(await rowsOf('hucre.xlsx')).toEqual([
    [1, 'shown', 'ttttt', 'CPF', 'Nome', 'Valor', 'Desde', 'Ativo'],
    [2, 'shown', 'ttndb', '00000000191', 'São João & Filhos', '1234.56', '2026-11-15', 'TRUE'],
    [3, 'shown', 'ntn-b', '12345678909', '=1+1', '-3', '', 'FALSE'],
  ])
})
