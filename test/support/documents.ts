/** The n-th of a long sequence of valid CPFs, for tests that need many people. */
export const cpf = (n: number): string => {
  const base = String(100_000_000 + n * 7).slice(-9)
  const digit = (digits: string): number => {
    const sum = [...digits].reduce((all, d, i) => all + Number(d) * (digits.length + 1 - i), 0)
    const rest = sum % 11
    return rest < 2 ? 0 : 11 - rest
  }
  const first = digit(base)
  return `${base}${first}${digit(`${base}${first}`)}`
}

export const cpfs = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => cpf(from + i))

export const csvOf = (documents: string[]): string => `documento\n${documents.join('\n')}\n`
