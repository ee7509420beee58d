/**
 * The registry's own check of documents and process numbers.
 *
 * Implemented independently of `src/domain` on purpose: the sandbox tests us, so it must not share our mistakes.
 */
export const isCpf = (text: string): boolean =>
  /^\d{11}$/.test(text) &&
  !/^(\d)\1{10}$/.test(text) &&
  fits(text, 9, [10, 9, 8, 7, 6, 5, 4, 3, 2], [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])

/** Twelve digits or capital letters and two check digits. */
export const isCnpj = (text: string): boolean =>
  /^[0-9A-Z]{12}\d\d$/.test(text) && !/^(\d)\1{13}$/.test(text) && fits(text, 12, cnpjWeights.slice(1), cnpjWeights)

export const isDocument = (type: string, number: string): boolean =>
  type === 'CPF' ? isCpf(number) : type === 'CNPJ' && isCnpj(number)

/** Lawsuits are numbered NNNNNNN-DD.AAAA.J.TR.OOOO, with or without the mask; only real numbers have valid check digits. */
export const isProcessNumber = (text: string): boolean => {
  const digits = text.replaceAll(/[.-]/g, '')
  if (!/^\d{20}$/.test(digits)) return false
  return BigInt(digits.slice(0, 7) + digits.slice(9) + digits.slice(7, 9)) % 97n === 1n
}

const cnpjWeights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

const fits = (text: string, at: number, first: number[], second: number[]): boolean =>
  checkDigit(text, first) === Number(text[at]) && checkDigit(text, second) === Number(text[at + 1])

const checkDigit = (text: string, weights: number[]): number => {
  const rest = weights.reduce((sum, weight, i) => sum + weight * (text.charCodeAt(i) - 48), 0) % 11
  return rest < 2 ? 0 : 11 - rest
}
