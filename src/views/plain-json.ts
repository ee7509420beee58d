/** For `JSON.stringify`, which has no big integers: ids and cents beyond 2^53 keep all their digits as text. */
export const plainJson = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
}
