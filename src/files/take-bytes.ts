/** The next pieces of a source as one, as soon as they have that many bytes; fewer at its end. */
export const takeBytes = async (source: AsyncIterator<Uint8Array>, size: number): Promise<Buffer> => {
  const pieces: Uint8Array[] = []
  for (let taken = 0; taken < size; ) {
    const { done, value } = await source.next()
    if (done) break
    pieces.push(value)
    taken += value.length
  }
  return Buffer.concat(pieces)
}
