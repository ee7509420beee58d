/**
 * The 27 characters that Windows-1252 has at 0x80–0x9F, where Latin-1 has control characters.
 * `TextDecoder('windows-1252')` is wrong about them on Node 20 and 24.0–24.6, hence our own table.
 */
const specials: Record<number, string> = {
  128: '€',
  130: '‚',
  131: 'ƒ',
  132: '„',
  133: '…',
  134: '†',
  135: '‡',
  136: 'ˆ',
  137: '‰',
  138: 'Š',
  139: '‹',
  140: 'Œ',
  142: 'Ž',
  145: '‘',
  146: '’',
  147: '“',
  148: '”',
  149: '•',
  150: '–',
  151: '—',
  152: '˜',
  153: '™',
  154: 'š',
  155: '›',
  156: 'œ',
  158: 'ž',
  159: 'Ÿ',
}

const codes = new Map(Object.entries(specials).map(([code, character]) => [character, Number(code)]))

/** Bytes that have no meaning in Windows-1252. */
export const undefinedBytes = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

export const decodeWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\x80-\x9f]/g, (control) => specials[control.charCodeAt(0)] as string)

/** Characters that Windows-1252 lacks become `?`; `onLost` is called for each. */
export const encodeWindows1252 = (text: string, onLost: () => void): Buffer => {
  const latin1 = text.replace(/[^\0-\x7f\xa0-\xff]/gu, (character) => {
    const code = codes.get(character)
    if (code === undefined) onLost()
    return code === undefined ? '?' : String.fromCharCode(code)
  })
  return Buffer.from(latin1, 'latin1')
}
