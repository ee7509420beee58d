/**
 * Splits the JSON of a long list as it arrives: each item of the array under `key` is returned by itself, and the rest is
 * kept as a body with an empty array.
 *
 * A list of 150,000 analyses is some 200 MB, and JSON.parse would need all of it at once. Bytes are enough to find where
 * an item ends: every mark of JSON is one byte, and none of them occurs inside a character of several bytes.
 */
export const createListSplitter = (key: string) => {
  const opensList = new RegExp(`"${key}"\\s*:\\s*\\[$`)
  const around: Buffer[] = []
  let tail = Buffer.alloc(0)
  let kept = 0
  let held = 0
  let item: Buffer[] = []
  let depth = 0
  let isInList = false
  let isInText = false
  let isEscaped = false

  const keep = (part: Buffer): void => {
    kept += part.length
    if (kept <= mostKept) around.push(Buffer.from(part))
    tail = Buffer.concat([tail, part]).subarray(-longestKey)
  }

  const hold = (part: Buffer): void => {
    held += part.length
    if (held <= mostKept) item.push(part)
  }

  /** The texts of the items that this piece completes. */
  const push = (piece: Buffer): string[] => {
    const items: string[] = []
    let start = 0
    const cut = (end: number): Buffer => {
      const part = piece.subarray(start, end)
      start = end
      return part
    }
    const endItem = (end: number): void => {
      hold(cut(end))
      const text = Buffer.concat(item).toString().trim()
      if (text !== '') items.push(text)
      item = []
      held = 0
    }
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!
      if (isInText) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isInText = false
        continue
      }
      if (byte === quote) isInText = true
      else if (byte === openBrace || byte === openBracket) {
        depth++
        if (byte === openBracket && depth === 2 && !isInList) {
          keep(cut(at + 1))
          isInList = opensList.test(tail.toString())
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        if (isInList && depth === 2) {
          endItem(at)
          isInList = false
        }
        depth--
      } else if (byte === comma && isInList && depth === 2) {
        endItem(at)
        start = at + 1
      }
    }
    if (isInList) hold(Buffer.from(piece.subarray(start)))
    else keep(piece.subarray(start))
    return items
  }

  return {
    push,
    /** The body without its items. */
    rest: (): string => Buffer.concat(around).toString(),
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** An item, or the text around the list, that is longer than this is cut, and so is no longer JSON. */
const mostKept = 4 * 1024 * 1024

/** Long enough for a key, its colon and the white space around it. */
const longestKey = 200
