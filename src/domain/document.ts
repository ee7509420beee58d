import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils'
import type { Message } from '../messages/message.ts'
import { cleanCell, type Repair } from './document-repair.ts'

export type DocumentType = 'CPF' | 'CNPJ'

/** Bare: 11 digits, or 14 of [0-9A-Z]; text everywhere, since `1234567890E106` would parse as a number. */
export type Document = { type: DocumentType; number: string }

type RefusalReason =
  | 'empty'
  | 'characters'
  | 'scientific_notation'
  | 'cut_number'
  | 'length'
  | 'repeated_digits'
  | 'check_digit'
  | 'ambiguous'
  | 'type_mismatch'

/** A detail never contains the document itself, because it goes into reports and logs. */
type ParsedDocument = { document: Document; repairs: readonly Repair[] } | { refused: RefusalReason; detail: Message }

/**
 * Reads the document in a cell, repairs what is certain and refuses the rest with a reason.
 *
 * `typeCell` is the type that the row states (`CPF`, `PJ`, `pessoa física`) and is binding. `likely` is a hint, such as a
 * column named `cnpj`, and only settles an ambiguous number.
 */
export const readDocument = (cell: string, typeCell?: string, likely?: DocumentType): ParsedDocument => {
  const type = typeCell ? readType(typeCell) : undefined
  if (!type && likely !== 'CNPJ' && cell.length === 11 && isValidCpf(cell)) return read('CPF', cell, noRepairs)
  if (digitsOnly.test(cell)) return readDigits(cell, noRepairs, type, likely)

  const cleaned = cleanCell(cell)
  if ('refused' in cleaned) return cleaned
  const { bare, repairs } = cleaned
  return digitsOnly.test(bare) ? readDigits(bare, repairs, type, likely) : readLetters(bare, repairs, type)
}

/** The type of a bare number by its length, if it is not stated. */
export const documentTypeOf = (number: string): DocumentType => (number.length === 11 ? 'CPF' : 'CNPJ')

/** `123.456.789-09` or `12.ABC.345/01DE-35`; anything else is returned unchanged. */
export const formatDocument = (number: string): string => {
  if (number.length === 11) return number.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
  if (number.length === 14) return number.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
  return number
}

/** The masked form for people who must not see the document: `***.456.789-**` or `**.***.678/0001-**`. */
export const maskDocument = (number: string): string => {
  if (number.length === 11) return `***.${number.slice(3, 6)}.${number.slice(6, 9)}-**`
  if (number.length === 14) return `**.***.${number.slice(5, 8)}/${number.slice(8, 12)}-**`
  return '***'
}

/** Whether a text has the form of a parsed document; the check digits are not verified again. */
export const isBareDocument = (text: string): boolean => bareCpf.test(text) || bareCnpj.test(text)

const digitsOnly = /^\d+$/
const bareCpf = /^\d{11}$/
const bareCnpj = /^[0-9A-Z]{12}\d{2}$/
const noRepairs: readonly Repair[] = Object.freeze([])

/** Without version 2 the library drops letters silently. */
const isCnpj = (number: string) => isValidCnpj(number, { version: 2 })

/** Anything else in a type column, such as `cliente`, says nothing about the document. */
const readType = (cell: string): DocumentType | undefined => {
  if (cell === 'CPF' || cell === 'CNPJ') return cell
  const token = cell
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toUpperCase()
  if (/^(CPF|PF|F|FISICA|PESSOAFISICA)$/.test(token)) return 'CPF'
  if (/^(CNPJ|PJ|J|JURIDICA|PESSOAJURIDICA)$/.test(token)) return 'CNPJ'
  return undefined
}

/**
 * A number that is complete as written is accepted; a shorter one may have lost its zeros in a spreadsheet. Up to nine
 * digits both sets of check digits agree by construction (`191` is a CPF and a CNPJ), so only a type can decide. Eleven
 * digits are a CNPJ without its zeros only if the type is stated: far more often they are a mistyped CPF.
 */
const readDigits = (
  bare: string,
  repairs: readonly Repair[],
  type?: DocumentType,
  likely?: DocumentType,
): ParsedDocument => {
  const { length } = bare
  if (length > 14) return refuse('length', ['digits', length])
  if ((length === 11 || length === 14) && /^(\d)\1+$/.test(bare)) {
    return refuse('repeated_digits', ['same_digit', length])
  }
  const cpf = fitCpf(bare, type)
  const cnpj = length !== 11 || type || likely === 'CNPJ' ? fitCnpj(bare) : undefined
  const wanted = type ?? (cpf && cnpj ? likely : cpf ? 'CPF' : 'CNPJ')
  if (!wanted) return refuse('ambiguous', ['ambiguous', length])

  const number = wanted === 'CPF' ? cpf : cnpj
  if (number) return read(wanted, number, number.length === length ? repairs : [...repairs, 'zeros'])
  const other = cpf ? 'CPF' : 'CNPJ'
  if (cpf || cnpj) return refuse('type_mismatch', ['other_type', wanted, other])
  return misfit(length)
}

/** Systems with one column of 14 write a CPF with three zeros before it; that is accepted only if the type says CPF. */
const fitCpf = (bare: string, type?: DocumentType): string | undefined => {
  const number = type === 'CPF' && bare.length > 11 ? bare.replace(/^0+(?=\d{11}$)/, '') : bare.padStart(11, '0')
  return isValidCpf(number) ? number : undefined
}

const fitCnpj = (bare: string): string | undefined => {
  const number = bare.padStart(14, '0')
  return isCnpj(number) ? number : undefined
}

const misfit = (length: number): ParsedDocument => {
  if (length === 11 || length === 14) return refuse('check_digit', ['check_digits', length])
  return refuse('length', ['digits_short', length])
}

/** Letters occur in a CNPJ alone, since July 2026, and never in its check digits. */
const readLetters = (bare: string, repairs: readonly Repair[], type?: DocumentType): ParsedDocument => {
  if (!/\d/.test(bare)) return refuse('characters', ['letters_only'])
  if (bare.length !== 14) return refuse('length', ['letters', bare.length])
  if (!bareCnpj.test(bare)) return refuse('characters', ['cnpj_end'])
  if (!isCnpj(bare)) return refuse('check_digit', ['check_characters'])
  if (type === 'CPF') return refuse('type_mismatch', ['cpf_letters'])
  return read('CNPJ', bare, repairs)
}

const read = (type: DocumentType, number: string, repairs: readonly Repair[]): ParsedDocument => ({
  document: { type, number },
  repairs,
})

const refuse = (refused: RefusalReason, detail: Message): ParsedDocument => ({ refused, detail })
