import { UsageError } from './usage-error.ts'

/** Reads the value of an option as a whole number within bounds. */
export function wholeNumber(option: string, low: number, high = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= low && number <= high) return number
    const range = high === Number.MAX_SAFE_INTEGER ? `${low} or more` : `from ${low} to ${high}`
    throw new UsageError(`${option} takes a whole number, ${range}, not "${text}"`)
  }
}
