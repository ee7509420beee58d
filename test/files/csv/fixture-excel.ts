import { type FixtureFile, fixture, windows1252 } from './fixture-files.ts'

const excel = { encoding: 'windows-1252', bom: false, delimiter: ';', newline: '\r\n', decimal: ',' } as const
const bom = '\ufeff'

/** What Brazilian Excel and its users make of a sheet of documents. */
export const savedFromExcel = (): FixtureFile[] => [
  fixture('excel-lost-zeros.csv', windows1252('CPF;Nome\r\n1114447773;Zé\r\n191;João\r\n52998224725;Ana\r\n'), {
    dialect: { ...excel, header: true },
    rows: ['2 length', '3 CPF 00000000191 +zeros', '4 CPF 52998224725'],
  }),
  fixture('excel-cnpj-scientific.csv', windows1252('CNPJ;Razão social\r\n1,23457E+13;Ação S/A\r\n3,60305E+11;X\r\n'), {
    dialect: excel,
    rows: ['2 scientific_notation', '3 scientific_notation'],
  }),
  fixture('excel-csv-utf8.csv', `${bom}Documento;Nome\r\n123.456.789-09;José\r\n`, {
    dialect: { ...excel, encoding: 'utf-8', bom: true },
    rows: ['2 CPF 12345678909 +mask'],
  }),
  fixture('excel-sep-line.csv', 'sep=;\r\ndocumento;nome\r\n12345678909;Ana\r\n', {
    dialect: { ...excel, encoding: 'utf-8', sepLine: true, header: true },
    rows: ['3 CPF 12345678909'],
  }),
  fixture('excel-sep-line-comma.csv', `${bom}sep=,\r\ndocumento,nome\r\n12345678909,"Silva; Ana"\r\n`, {
    dialect: { bom: true, sepLine: true, delimiter: ',', decimal: '.' },
    rows: ['3 CPF 12345678909'],
  }),
  fixture(
    'excel-alt-enter.csv',
    windows1252('documento;endereço\r\n12345678909;"Rua A\nnº 1\nSão Paulo"\r\n11144477735;x\r\n'),
    {
      dialect: excel,
      rows: ['2 CPF 12345678909', '5 CPF 11144477735'],
    },
  ),
  fixture('excel-text-formula.csv', 'documento;nome\r\n="00000000191";Ana\r\n="12345678909";Rui\r\n', {
    dialect: { delimiter: ';' },
    rows: ['2 CPF 00000000191 +text_marker', '3 CPF 12345678909 +text_marker'],
  }),
  fixture('excel-apostrophe.csv', "documento;nome\r\n'12345678909;Ana\r\n'12ABC34501DE35;Alfa\r\n", {
    dialect: { delimiter: ';' },
    rows: ['2 CPF 12345678909 +text_marker', '3 CNPJ 12ABC34501DE35 +text_marker'],
  }),
  fixture('excel-thousands.csv', 'documento;nome\r\n12.345.678.909;Ana\r\n360.305.000.104;Caixa\r\n', {
    dialect: { delimiter: ';' },
    rows: ['2 CPF 12345678909 +mask', '3 CNPJ 00360305000104 +mask +zeros'],
  }),
  fixture('excel-empty-tail.csv', 'documento;nome\r\n12345678909;Ana\r\n;\r\n;\r\n', {
    dialect: { delimiter: ';' },
    rows: ['2 CPF 12345678909', '3 empty', '4 empty'],
  }),
  fixture('excel-curly-quotes.csv', windows1252('documento;nome\r\n12345678909;“Zé” – ‘o’ €\r\n'), {
    dialect: excel,
    rows: ['2 CPF 12345678909'],
  }),
  fixture('excel-error-cells.csv', 'documento;nome\r\n#N/D;Ana\r\n#REF!;Rui\r\n-;Eva\r\n', {
    dialect: { delimiter: ';' },
    rows: ['2 characters', '3 characters', '4 empty'],
  }),
  fixture(
    'excel-unicode-text.txt.csv',
    Buffer.from(`${bom}CPF\tNome\tValor\r\n12345678909\tJosé\t1,50\r\n`, 'utf16le'),
    {
      dialect: { encoding: 'utf-16le', bom: true, delimiter: '\t', decimal: ',' },
      rows: ['2 CPF 12345678909'],
    },
  ),
  fixture('excel-workbook.xlsx.csv', Buffer.from('PK\x03\x04\x14\0\x06\0[Content_Types].xml'), { problem: 'damaged' }),
]
