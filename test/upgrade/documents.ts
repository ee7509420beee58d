import { cpf } from '../support/documents.ts'

/** The fictitious people of the fixture, each range for one purpose. */
export const people = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => cpf(70_000 + from + i))

export const masked = (document: string): string => document.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')

/** A typical office file: titles with accents, notes with the delimiter in them, repeated and wrong rows. */
export const clients = (documents: string[]): Buffer => {
  const [first, second, third, ...rest] = documents as [string, string, string, ...string[]]
  const rows = [
    'Nome;CPF/CNPJ;Observação',
    `Conceição Araújo;${masked(first)};"cliente; antigo"`,
    `João Luís;${second};`,
    `Repetida;${first};segunda vez`,
    `Íris;" ${third} ";"com ""aspas"""`,
    'Sem documento;;',
    'Errado;123.456.789-00;dígito',
    'Texto;não sei;',
    'Empresa;11.222.333/0001-81;CNPJ',
    ...rest.map((document, i) => `Pessoa ${i};${document};=1+1`),
  ]
  return Buffer.from(`${rows.join('\r\n')}\r\n`, 'latin1')
}

export const listOf = (documents: string[], header = 'documento'): string => `${[header, ...documents].join('\n')}\n`

export const piped = (documents: string[]): string =>
  `\uFEFFid|documento|nome\r\n${documents.map((document, i) => `${i + 1}|${document}|Fulano ${i}`).join('\r\n')}\r\n`
