import { delimiters, type Encoding } from '../../../src/files/csv/dialect.ts'
import { byteOrderMarks, encodeInto } from '../../../src/files/csv/encoding.ts'
import { type FixtureFile, fixture } from './fixture-files.ts'

/** One sheet, with everything that people write into one, in every encoding, delimiter and line ending. */
export const dialectMatrix = (): FixtureFile[] =>
  encodings.flatMap(([label, encoding, bom]) =>
    delimiters.flatMap((delimiter) =>
      newlines.map(([outcome, newline]) => {
        const text = encodeInto(encoding).encode(sheet(delimiter, newline))
        const bytes = bom ? Buffer.concat([byteOrderMarks[encoding], text]) : text
        const decimal = delimiter === ',' ? ('.' as const) : (',' as const)
        const dialect = { encoding, bom, delimiter, newline, decimal, header: true, sepLine: false }
        return fixture(`${label}.${names[delimiter]}.${outcome}.csv`, bytes, { dialect, blankLines: 1, rows })
      }),
    ),
  )

const encodings: [string, Encoding, boolean][] = [
  ['utf8', 'utf-8', false],
  ['utf8-bom', 'utf-8', true],
  ['utf16le-bom', 'utf-16le', true],
  ['utf16be-bom', 'utf-16be', true],
  ['utf16le', 'utf-16le', false],
  ['windows1252', 'windows-1252', false],
]

const newlines = [
  ['crlf', '\r\n'],
  ['lf', '\n'],
  ['cr', '\r'],
] as const

const names = { ';': 'semicolon', ',': 'comma', '\t': 'tab', '|': 'pipe' } as const

const cells: string[][] = [
  ['Referência', 'CPF/CNPJ', 'Nome', 'Tipo', 'Observação', 'Valor'],
  ['1', '12345678909', 'José da Conceição', 'CPF', 'ação judicial nº 3', '"1.234,56"'],
  ['2', '123.456.789-09', '"Müller; Filhos, Ltda | Cia\tX"', '', '“aspas” e – travessão', '"0,50"'],
  ['3', '12.ABC.345/01DE-35', '"Empresa ""Alfa"" S/A"', 'CNPJ', '€ 10', ''],
  ['4', '191', 'João', 'PF', '"duas', 'LINES', 'linhas"', ''],
  ['5', '191', 'Banco', 'PJ', '', ''],
  ['6', '191', 'quem?', '', '', ''],
  ['7', '"1,23457E+13"', 'planilha', '', '', ''],
  ['8', '360305000104', 'Caixa', '', '', ''],
  [],
  ['9', '12345678900', 'dígito errado', '', '', ''],
]

const sheet = (delimiter: string, newline: string): string => {
  const lines = cells.map((row) => row.join(delimiter).replace(`${delimiter}LINES${delimiter}`, newline))
  return lines.join(newline) + newline
}

/** Row 4 spans two lines, and a blank line comes before the last row. */
const rows = [
  '2 CPF 12345678909',
  '3 CPF 12345678909 +mask',
  '4 CNPJ 12ABC34501DE35 +mask',
  '5 CPF 00000000191 +zeros',
  '7 CNPJ 00000000000191 +zeros',
  '8 ambiguous',
  '9 scientific_notation',
  '10 CNPJ 00360305000104 +zeros',
  '12 check_digit',
]
