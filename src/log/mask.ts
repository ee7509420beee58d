import { maskDocuments } from '../domain/mask-documents.ts'

/**
 * Hides documents and secrets in a complete line: a log line, an error for a person, a text to be stored.
 *
 * JSON stays JSON. Its strings are masked as the text that they encode, and a number that is a document becomes a string.
 */
export const maskLine = (line: string): string => (isJson(line) ? line.replace(jsonTokens, maskToken) : maskText(line))

/** A member whose name shows that its text is a secret; a string; a number. */
const jsonTokens =
  /("[^"\\]*(?:token|password|secret|authorization|cookie)"\s*:\s*)"(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gi

const maskToken = (token: string, secretName: string | undefined): string => {
  if (secretName) return `${secretName}"${HIDDEN}"`
  const text = token.startsWith('"') ? (JSON.parse(token) as string) : token
  // A fraction is a measurement, never a document.
  const masked = /^-?\d+[.eE-]/.test(token) ? text : maskText(text)
  return masked === text ? token : JSON.stringify(masked)
}

const maskText = (text: string): string => {
  const masked = maskDocuments(maskSecrets(text))
  const decoded = decodeLetters(masked)
  const maskedAgain = maskDocuments(maskSecrets(decoded))
  return maskedAgain === decoded ? masked : maskedAgain
}

/** `%35` is the digit 5 in an address: an unusual spelling, but a valid one. */
const decodeLetters = (text: string) =>
  text.replace(/%(?:3\d|[46][1-9a-f]|[57][\da])/gi, (letter) => decodeURIComponent(letter))

const isJson = (line: string): boolean => {
  if (!line.startsWith('{') && !line.startsWith('[')) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

const HIDDEN = '[secret]'

/** Hides an exact value wherever it occurs from now on. A value too short to be a secret would hide half the log. */
export const registerSecret = (value: string): void => {
  if (value.length < 6) return
  for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) secrets.add(form)
}

/** Hides the registered secrets, and those that are known by their shape or by the text before them. */
const maskSecrets = (text: string): string => {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
  const hidden = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text)
  return shapes.reduce((rest, [shape, replacement]) => rest.replace(shape, replacement), hidden)
}

const secrets = new Set<string>()

const shapes: [RegExp, string][] = [
  [/(Bearer(?:\s|%20|\+)+)[^\s"'\\,;&]+/g, `$1${HIDDEN}`],
  // In lower case it may be prose, as in "the bearer header".
  [/(bearer(?:\s|%20|\+)+)[^\s"'\\,;&]{8,}/gi, `$1${HIDDEN}`],
  [/eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g, HIDDEN],
  [/vig_[\w-]+/g, HIDDEN],
  [/(:\/\/[^\s:/@"]*:)[^\s/@"]+@/g, `$1${HIDDEN}@`],
  [/((?:token|password|secret)=)[^\s"'\\,;&]+/gi, `$1${HIDDEN}`],
  [/((?:token|password|secret|authorization)\\*"\s*:\s*\\*")[^"\\]+/gi, `$1${HIDDEN}`],
]
