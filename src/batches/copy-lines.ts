/** Reads the lines of a COPY in groups, so that the caller need not await each one. */
export async function* readCopyLines<Line>(
  source: AsyncIterable<Buffer>,
  parse: (bytes: Buffer, from: number, end: number) => Line,
): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const lines: Line[] = []
    let from = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      lines.push(parse(bytes, from, end))
      from = end + 1
    }
    rest = bytes.subarray(from)
    if (lines.length > 0) yield lines
  }
}

/** The end of the field that begins at `from`. */
export const endOfField = (bytes: Buffer, from: number): number => bytes.indexOf(tab, from)

export const readInteger = (bytes: Buffer, from: number, to: number): number => {
  let value = 0
  for (let at = from; at < to; at++) value = value * 10 + (bytes[at] as number) - 48
  return value
}

/** COPY writes tabs, line ends and backslashes as two characters. */
export const unescapeField = (field: Buffer): Buffer =>
  field.includes(backslash) ? Buffer.from(unescapeText(field.toString()) ?? '') : field

/** Null for the null of COPY. */
export const unescapeText = (field: string): string | null =>
  field === '\\N' ? null : field.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)

const newline = 0x0a
const tab = 0x09
const backslash = 0x5c
const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v' }
