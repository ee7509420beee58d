import { type FixtureFile, fixture, windows1252 } from './fixture-files.ts'

/** What other programs and manual typing produce, broken files among them. */
export const savedBySystems = (): FixtureFile[] => [
  fixture('mainframe-no-header.csv', windows1252('12345678909\r\n00000000000191\r\n11144477735\r\n'), {
    dialect: { header: false, delimiter: ';' },
    rows: ['1 CPF 12345678909', '2 CNPJ 00000000000191', '3 CPF 11144477735'],
  }),
  fixture('mainframe-fixed-width.csv', 'TIPO|DOCUMENTO\n1|00012345678909\nCPF|00012345678909\nCNPJ|00360305000104\n', {
    dialect: { delimiter: '|', newline: '\n' },
    rows: ['2 check_digit', '3 CPF 12345678909 +zeros', '4 CNPJ 00360305000104'],
  }),
  fixture('no-header-bad-first.csv', '12345678900\n12345678909\n', {
    dialect: { header: false },
    rows: ['1 check_digit', '2 CPF 12345678909'],
  }),
  fixture('no-header-alphanumeric.csv', '12.ABC.345/01DE-35\nLBNXQOB5000163', {
    dialect: { header: false },
    rows: ['1 CNPJ 12ABC34501DE35 +mask', '2 check_digit'],
  }),
  fixture('pandas-floats.csv', 'document,name\n12345678909.0,Ana\n,Rui\n', {
    dialect: { delimiter: ',', decimal: '.' },
    rows: ['2 CPF 12345678909 +decimal', '3 empty'],
  }),
  fixture('all-quoted.csv', '"documento";"nome"\n"123.456.789-09";"Ana ""Bia"""\n"";""\n', {
    dialect: { delimiter: ';' },
    rows: ['2 CPF 12345678909 +mask', '3 empty'],
  }),
  fixture('pasted-from-page.csv', 'documento;nome\n\u200b123.456.789-09\u00a0;Ana\n１２３４５６７８９０９;Rui\n', {
    dialect: { encoding: 'utf-8' },
    rows: ['2 CPF 12345678909 +spaces +mask', '3 CPF 12345678909 +width'],
  }),
  fixture(
    'typed-by-hand.csv',
    'cpf_cnpj;nome\n 12abc34501de35 ;Alfa\n123 456 789 09;Ana\n123.456.789 - 09;Rui\n1234567890O;Eva\n',
    {
      dialect: { delimiter: ';' },
      rows: ['2 CNPJ 12ABC34501DE35 +spaces +case', '3 CPF 12345678909 +mask', '4 CPF 12345678909 +mask', '5 length'],
    },
  ),
  fixture('wrong-types.csv', 'documento;tipo\n12345678909;CNPJ\n12ABC34501DE35;pf\n12345678909;cliente\n', {
    dialect: {},
    rows: ['2 type_mismatch', '3 type_mismatch', '4 CPF 12345678909'],
  }),
  fixture('repeated-digits.csv', 'documento\n11111111111\n00000000000000\n', {
    dialect: { header: true },
    rows: ['2 repeated_digits', '3 repeated_digits'],
  }),
  fixture('blank-lines.csv', '\n\ndocumento;nome\n\n12345678909;Ana\n   \n\n11144477735;Rui\n\n', {
    dialect: { newline: '\n' },
    blankLines: 6,
    rows: ['5 CPF 12345678909', '8 CPF 11144477735'],
  }),
  fixture('ragged.csv', 'nome;documento;obs\nAna;12345678909\nRui;11144477735;x;y;z\nEva\n', {
    dialect: { delimiter: ';' },
    rows: ['2 CPF 12345678909', '3 columns', '4 empty'],
  }),
  fixture('mixed-line-ends.csv', 'documento;nome\r\n12345678909;Ana\n11144477735;Rui\r\n52998224725;Eva', {
    dialect: { newline: '\r\n' },
    rows: ['2 CPF 12345678909', '3 CPF 11144477735', '4 CPF 52998224725'],
  }),
  fixture('unclosed-quote.csv', 'documento;nome\n12345678909;"Ana\n11144477735;Rui\n52998224725;"Eva"\n', {
    dialect: { delimiter: ';' },
    rows: ['2 quotes', '3 CPF 11144477735', '4 CPF 52998224725'],
  }),
  fixture('inches.csv', 'documento;peça\n12345678909;tubo 5" de aço\n11144477735;"tubo" 3"\n', {
    dialect: { encoding: 'utf-8' },
    rows: ['2 CPF 12345678909', '3 CPF 11144477735'],
  }),
  fixture(
    'fixed-rejects.csv',
    'documento;nome;reject_line;reject_reason;reject_detail\n12345678909;Ana;7;check_digit;x\n',
    {
      dialect: { delimiter: ';' },
      rows: ['2 CPF 12345678909'],
    },
  ),
  fixture('header-only.csv', 'documento;nome\r\n', { problem: 'empty' }),
  fixture('no-final-line-end.csv', 'documento\n12345678909', { dialect: {}, rows: ['2 CPF 12345678909'] }),
  fixture('empty.csv', '', { problem: 'empty' }),
  fixture('nul.csv', 'documento\n12345678909\n111\0\n', { problem: 'nul', line: 3 }),
  fixture('undefined-byte.csv', Buffer.from('documento;nome\n12345678909;Jos\xe9\n1;\x8d\n', 'latin1'), {
    problem: 'undecodable',
    line: 3,
  }),
  fixture('broken-utf8-bom.csv', Buffer.from('\xef\xbb\xbfdocumento\n1\xe9\n', 'latin1'), {
    problem: 'undecodable',
    line: 2,
  }),
  fixture('duplicate-headers.csv', 'documento;obs;Obs\n12345678909;a;b\n', { problem: 'duplicate_headers' }),
  fixture('no-document-column.csv', 'cliente;valor\nAna;1\n', { problem: 'no_document_column' }),
  fixture('no-header-two-columns.csv', '12345678909;Ana\n11144477735;Rui\n', {
    dialect: { header: false },
    rows: ['1 CPF 12345678909', '2 CPF 11144477735'],
  }),
  fixture('cpf-and-cnpj.csv', 'cpf;cnpj\n12345678909;\n', {
    dialect: { delimiter: ';' },
    rows: ['2 CPF 12345678909'],
  }),
]
