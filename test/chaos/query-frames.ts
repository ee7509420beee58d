/**
 * Parses PostgreSQL's protocol on the client side, and returns the text of every call: a simple query, or a prepared one
 * when it is executed. The first message of a connection has no type; every other begins with one letter.
 */
export const createFrameReader = (): ((bytes: Buffer) => string[]) => {
  const prepared = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let begun = false
  let bound = ''

  const read = (type: string, body: Buffer): string | null => {
    const [first = '', second = ''] = body.toString('utf8').split('\0', 2)
    if (type === 'Q') return first
    if (type === 'P') prepared.set(first, second)
    if (type === 'B') bound = prepared.get(second) ?? ''
    return type === 'E' ? bound : null
  }

  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const calls: string[] = []
    for (;;) {
      const head = begun ? 1 : 0
      if (rest.length < head + 4) return calls
      const size = head + rest.readInt32BE(head)
      if (rest.length < size) return calls
      const type = begun ? String.fromCharCode(rest[0]!) : ''
      const call = read(type, rest.subarray(head + 4, size))
      if (call !== null) calls.push(call)
      rest = rest.subarray(size)
      begun = true
    }
  }
}
