import { encodeInto } from '../csv/encode-text.ts'
import { formatDocument, readDocument } from '../domain/document.ts'

/**
 * A file as a Brazilian spreadsheet writes it: semicolons, Windows-1252, accents, amounts with a comma.
 *
 * It holds what such files hold: masks, lost zeros, repeated rows, a cell with a line break, and rows that cannot be
 * a document. It is the same file every time, so a second run finds its answers already there.
 */
export function sampleFile(people: number): Buffer {
  const rows = Array.from({ length: people }, (_, n) => [String(n + 1), nameOf(n), writtenAs(n), amountOf(n)])
  const repeated = rows.slice(0, 5).map(([, ...cells], n) => [String(people + n + 1), ...cells])
  const spoilt = unreadable.map(([name, document], n) => [String(people + 6 + n), name, document, '0,00'])
  const lines = [['ref', 'nome', 'cpf_cnpj', 'limite'], ...rows, ...repeated, ...spoilt]
  return encodeInto('windows-1252').encode(lines.map((cells) => `${cells.join(';')}\r\n`).join(''))
}

const first = ['João', 'Conceição', 'Márcia', 'Antônio', 'Inês', 'Luís', 'Helena', 'Tomás']
const last = ['Araújo', 'Brandão', 'da Silva', 'Gonçalves', 'Simões', 'Peçanha', 'Vilaça']

const unreadable: [string, string][] = [
  ['Digitado errado', '123.456.789-00'],
  ['Repetido', '111.111.111-11'],
  ['Planilha arredondou', '1,23457E+13'],
  ['Em branco', ''],
]

function nameOf(n: number): string {
  const name = `${first[n % first.length]} ${last[n % last.length]}`
  return n % 40 === 7 ? `"${name}\n(""titular"")"` : name
}

/** Every tenth is a company; some carry their mask, and some have lost their zeros to a spreadsheet. */
function writtenAs(n: number): string {
  if (n % 10 === 9) return formatDocument(completed(`${String(11_222_000 + n).padStart(8, '0')}0001`, 'CNPJ'))
  const cpf = completed(String(n % 4 === 1 ? 10_000_000 + n * 7 : 300_000_000 + n * 7).padStart(9, '0'), 'CPF')
  if (n % 4 === 1) return cpf.replace(/^0+/, '')
  return n % 4 === 2 ? cpf : formatDocument(cpf)
}

const amountOf = (n: number): string => `${(n * 1_337) % 90}.${String((n * 71) % 1_000).padStart(3, '0')},50`

/** The number with the check digits that fit it. */
function completed(base: string, type: 'CPF' | 'CNPJ'): string {
  for (let digits = 0; digits < 100; digits++) {
    const number = `${base}${String(digits).padStart(2, '0')}`
    if ('document' in readDocument(number, type)) return number
  }
  throw new Error(`no check digits fit ${base.length} digits`)
}
