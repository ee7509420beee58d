import type { Phrase } from './create-teller.ts'

/** What is wrong with a row of a file, or with the file. */
export const ptBrRejects: readonly Phrase[] = [
  [/^line (\d+): (.+)$/, 'linha $1: $2'],
  [/^a NUL character: .+$/, 'um caractere NUL: salve o arquivo de novo como CSV'],
  [/^byte (\w+) is no (\S+) text: .+$/, 'o byte $1 não é texto $2: salve o arquivo de novo como “CSV UTF-8”'],
  [
    /^a row of more than (\d+) bytes or (\d+) columns: .+$/,
    'uma linha de mais de $1 bytes ou $2 colunas: falta uma quebra de linha ou uma aspa?',
  ],
  [/^the cell is empty$/, 'a célula está vazia'],
  [/^the cell holds no digit or letter$/, 'a célula não tem dígitos nem letras'],
  [/^(\d+) characters in the cell$/, '$1 caracteres na célula'],
  [
    /^a spreadsheet rounded the number and its digits are lost$/,
    'a planilha arredondou o número e os dígitos se perderam',
  ],
  [/^other characters than digits, letters and a mask$/, 'caracteres que não são dígitos, letras nem máscara'],
  [/^other characters than those of a process number$/, 'caracteres que um número de processo não tem'],
  [/^(\d+) digits: a CPF has 11, a CNPJ has 14$/, '$1 dígitos: um CPF tem 11, um CNPJ tem 14'],
  [
    /^(\d+) digits: a CPF has 11, a CNPJ has 14, and no leading zeros make it fit$/,
    '$1 dígitos: um CPF tem 11, um CNPJ tem 14, e zeros à esquerda não resolvem',
  ],
  [
    /^(\d+) digits: a process number has 20, an older one fewer but at least 5$/,
    '$1 dígitos: um número de processo tem 20, um antigo tem ao menos 5',
  ],
  [/^(\d+) times the same digit$/, '$1 vezes o mesmo dígito'],
  [
    /^(\d+) digits fit a CPF and a CNPJ: say which in a column "tipo"$/,
    '$1 dígitos servem para CPF e CNPJ: diga qual em uma coluna “tipo”',
  ],
  [/^the type says (\w+), but the digits fit only a (\w+)$/, 'o tipo diz $1, mas os dígitos só servem para um $2'],
  [/^the type says CPF, but a CPF has no letters$/, 'o tipo diz CPF, mas um CPF não tem letras'],
  [/^(\d+) digits, but the check digits do not fit$/, '$1 dígitos, mas os verificadores não conferem'],
  [/^14 characters, but the check digits do not fit$/, '14 caracteres, mas os verificadores não conferem'],
  [/^letters only$/, 'só letras'],
  [
    /^(\d+) characters with letters: only a CNPJ has letters, and it has 14$/,
    '$1 caracteres com letras: só um CNPJ tem letras, e ele tem 14',
  ],
  [/^the last two of a CNPJ are digits$/, 'os dois últimos de um CNPJ são dígitos'],
  [/^the quotes of this row do not match: .+$/, 'as aspas desta linha não fecham: feche-as ou duplique-as'],
  [
    /^the row has (\d+) cells, the header (\d+): .+$/,
    'a linha tem $1 células, o cabeçalho $2: ponha entre aspas a célula que contém o separador',
  ],
]
