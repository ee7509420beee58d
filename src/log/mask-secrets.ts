export const HIDDEN = '[secret]'

/** Hides an exact value wherever it occurs from now on. A value too short to be a secret would hide half the log. */
export function registerSecret(value: string): void {
  if (value.length < 6) return
  for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) secrets.add(form)
}

/** Hides the registered secrets, and those that are known by their shape or by what stands before them. */
export function maskSecrets(text: string): string {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
  const hidden = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text)
  return shapes.reduce((rest, [shape, replacement]) => rest.replace(shape, replacement), hidden)
}

const secrets = new Set<string>()

const shapes: [RegExp, string][] = [
  [/(Bearer(?:\s|%20|\+)+)[^\s"'\\,;&]+/g, `$1${HIDDEN}`],
  // In small letters it may be prose, as in "the bearer header".
  [/(bearer(?:\s|%20|\+)+)[^\s"'\\,;&]{8,}/gi, `$1${HIDDEN}`],
  [/eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g, HIDDEN],
  [/vig_[\w-]+/g, HIDDEN],
  [/(:\/\/[^\s:/@"]*:)[^\s/@"]+@/g, `$1${HIDDEN}@`],
  [/((?:token|password|secret)=)[^\s"'\\,;&]+/gi, `$1${HIDDEN}`],
  [/((?:token|password|secret|authorization)\\*"\s*:\s*\\*")[^"\\]+/gi, `$1${HIDDEN}`],
]
