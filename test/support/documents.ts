/** The n-th of a long sequence of valid CPFs, for tests that need many people. */
export const cpf = (n: number): string => cpfOf(String(100_000_000 + n * 7).slice(-9))

export const cpfs = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => cpf(from + i))

export const csvOf = (documents: string[]): string => `documento\n${documents.join('\n')}\n`

/** A valid CPF of nine digits. */
export const cpfOf = (root: string): string => {
  const first = checkDigit(root, 11)
  return `${root}${first}${checkDigit(`${root}${first}`, 12)}`
}

/** A valid CNPJ of twelve digits or capital letters. */
export const cnpjOf = (root: string): string => {
  const first = checkDigit(root, 9)
  return `${root}${first}${checkDigit(`${root}${first}`, 9)}`
}

/** Weights grow from 2 at the right end; those of a CNPJ start again after 9. */
const checkDigit = (text: string, most: number): number => {
  const sum = [...text]
    .toReversed()
    .reduce((all, each, i) => all + (each.charCodeAt(0) - 48) * (2 + (i % (most - 1))), 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}
