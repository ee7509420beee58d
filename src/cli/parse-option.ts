import { parseDuration } from '../domain/duration.ts'
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

/** Reads the value of an option as a length of time, in milliseconds. */
export function timeSpan(option: string) {
  return (text: string): number => {
    if (/^\d{1,8}(ms|s|m|h|d)$/.test(text)) return parseDuration(text)
    throw new UsageError(`${option} takes a duration such as 24h or 7d, not "${text}"`)
  }
}
