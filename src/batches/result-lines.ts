/** One row as PostgreSQL sends it: where its text stands, how it ended, and the cells to add. */
type ResultLine = { start: number; size: number; state: string; cells: Buffer }

/** Reads the lines of a COPY in groups, so that whoever writes them can do so without waiting at each. */
export async function* readResultLines(source: AsyncIterable<Buffer>): AsyncGenerator<ResultLine[]> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const lines: ResultLine[] = []
    let from = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      lines.push(parseLine(bytes, from, end))
      from = end + 1
    }
    rest = bytes.subarray(from)
    if (lines.length > 0) yield lines
  }
}

const newline = 0x0a
const tab = 0x09
const backslash = 0x5c

const parseLine = (bytes: Buffer, from: number, end: number): ResultLine => {
  const first = bytes.indexOf(tab, from)
  const second = bytes.indexOf(tab, first + 1)
  const third = bytes.indexOf(tab, second + 1)
  return {
    start: integer(bytes, from, first),
    size: integer(bytes, first + 1, second),
    state: bytes.toString('latin1', second + 1, third),
    cells: unescaped(bytes.subarray(third + 1, end)),
  }
}

const integer = (bytes: Buffer, from: number, to: number): number => {
  let value = 0
  for (let at = from; at < to; at++) value = value * 10 + (bytes[at] as number) - 48
  return value
}

/** COPY writes tabs, line ends and backslashes as two characters. */
const unescaped = (cells: Buffer): Buffer => {
  if (!cells.includes(backslash)) return cells
  return Buffer.from(cells.toString().replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter))
}

const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v' }
