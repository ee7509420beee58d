import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils'

/** The registry's own check of documents and process numbers: bare, as the interface shows them. */
export const isCpf = (text: string): boolean => /^\d{11}$/.test(text) && isValidCpf(text)

/** Twelve digits or capital letters and two check digits. Without version 2 the library drops letters silently. */
export const isCnpj = (text: string): boolean => /^[0-9A-Z]{12}\d\d$/.test(text) && isValidCnpj(text, { version: 2 })

export const isDocument = (type: string, number: string): boolean =>
  type === 'CPF' ? isCpf(number) : type === 'CNPJ' && isCnpj(number)

/** Lawsuits are numbered NNNNNNN-DD.AAAA.J.TR.OOOO, with or without the mask; only real numbers have valid check digits. */
export const isProcessNumber = (text: string): boolean => {
  const digits = text.replaceAll(/[.-]/g, '')
  if (!/^\d{20}$/.test(digits)) return false
  return BigInt(digits.slice(0, 7) + digits.slice(9) + digits.slice(7, 9)) % 97n === 1n
}
