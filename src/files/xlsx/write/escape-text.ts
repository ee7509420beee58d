/** The most characters that a cell may have. */
const cellLength = 32_767

/**
 * Text for a cell or an attribute: markup as entities, line ends by number (a row is one line), and what XML cannot hold
 * in Excel's form, `_x000B_`.
 */
export const escapeText = (text: string): string => {
  if (!unsafe.test(text)) return text
  return text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(special, (character) => entities[character] ?? escaped(character))
}

/** Text that is too long ends in `…`; a character of two UTF-16 halves is not cut in two. */
export const fitIntoCell = (text: string): string => {
  if (text.length <= cellLength) return text
  return `${text.slice(0, cellLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const special = /[&<>"\u0000-\u001f\ufffe\uffff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const unsafe = /[&<>"\u0000-\u001f\ud800-\udfff\ufffe\uffff]|_x/

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
}

const escaped = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
