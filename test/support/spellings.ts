import { formatDocument, readDocument } from '../../src/domain/document.ts'

/** The ways in which people, programs and spreadsheets write one document. */
export const spellings = (document: string): Record<string, string> => {
  const [head, end] = [document.slice(0, -2), document.slice(-2)]
  const groups = formatDocument(document).split(/[./-]/)
  const stripped = document.replace(/^0+/, '')
  return {
    bare: document,
    masked: formatDocument(document),
    'with spaces': groups.join(' '),
    'with spaces around the dash': `${groups.slice(0, -1).join('.')} - ${end}`,
    'with commas for points': formatDocument(document).replaceAll('.', ','),
    'with underlines': groups.join('_'),
    'with a dash only': `${head}-${end}`,
    'in lower case': formatDocument(document).toLowerCase(),
    'in wide digits': document.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
    'with characters that nobody sees': `${document.slice(0, 4)}\u200b${document.slice(4)}`,
    'spaced out': [...document].join(' '),
    // With that many zeros of its own it would also be a valid CNPJ, of somebody else.
    ...(document.length === 11 &&
      !('document' in readDocument(`000${document}`)) && { 'with zeros before it': `000${document}` }),
    ...(/^0\d+$/.test(document) && {
      'without its zeros': stripped,
      'without its zeros, with a dash': `${stripped.slice(0, -2)}-${end}`,
    }),
  }
}
