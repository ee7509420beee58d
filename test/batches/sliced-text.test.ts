import { expect, test } from 'vitest'
import { sliceText } from '../../src/batches/sliced-text.ts'

const pieceSize = 16 * 1024
const pieces = 200

/** Every eight characters contain their own position. */
const textAt = (at: number): string => String(at).padStart(8, '0')

async function* longText(): AsyncGenerator<Buffer> {
  for (let from = 0; from < pieces * pieceSize; from += pieceSize) {
    yield Buffer.from(Array.from({ length: pieceSize / 8 }, (_, text) => textAt(from + text * 8)).join(''))
  }
}

test('what lies between two slices is skipped and not buffered, however much it is', async () => {
  const text = sliceText(longText())
  const end = pieces * pieceSize
  // Next to each other, across two pieces, far away, and at the very end.
  const places = [8, 24, 3 * pieceSize - 8, 150 * pieceSize, 151 * pieceSize - 8, end - 16]
  let largest = 0
  for (const at of places) {
    const found = text.slice(at, at + 16) ?? (await text.reach(at, at + 16))
    expect(found.toString()).toBe(textAt(at) + textAt(at + 8))
    largest = Math.max(largest, found.buffer.byteLength)
  }
  expect(largest).toBeLessThanOrEqual(4 * pieceSize)
  await expect(text.reach(end, end + 8)).rejects.toThrow('shorter than its rows')
  await text.close()
})
