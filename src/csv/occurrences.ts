/** How often a byte occurs. */
export function occurrences(bytes: Buffer, byte: number): number {
  let count = 0
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) count++
  return count
}
