/** For `JSON.stringify`, which cannot write big integers: ids and cents beyond 2^53 become text with all digits. */
export const plainJson = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
}
