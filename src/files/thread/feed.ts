import type { ToThread } from './file-thread.ts'

/** Gives the bytes of a file to a thread, stream by stream, whenever it asks. */
export type Feed = {
  next(stream: number): Promise<void>
  close(stream: number): Promise<void>
  end(): Promise<void>
  /** How many bytes were given to the thread. */
  bytes(): number
  /** How long the thread waited for them. */
  waitedMs(): number
}

/** A failure of the source is not the file's fault, and is reported as it is. */
export const createFeed = (
  open: () => AsyncIterable<Uint8Array>,
  post: (message: ToThread, moved: ArrayBuffer[]) => void,
  fail: (error: unknown) => void,
): Feed => {
  const streams = new Map<number, AsyncIterator<Uint8Array>>()
  let given = 0
  let waited = 0
  let waitsSince: number | null = null
  const close = async (stream: number): Promise<void> => {
    const source = streams.get(stream)
    streams.delete(stream)
    await source?.return?.()
  }
  return {
    async next(stream) {
      waitsSince = performance.now()
      try {
        if (!streams.has(stream)) streams.set(stream, open()[Symbol.asyncIterator]())
        const bytes = await gather(streams.get(stream) as AsyncIterator<Uint8Array>)
        given += bytes.length
        post({ stream, bytes: bytes.length > 0 ? bytes : null }, [bytes.buffer])
      } catch (error) {
        fail(error)
      } finally {
        waited += performance.now() - waitsSince
        waitsSince = null
      }
    },
    close: (stream) => close(stream).catch(fail),
    async end() {
      for (const stream of streams.keys()) await close(stream).catch(() => {})
    },
    bytes: () => given,
    waitedMs: () => waited + (waitsSince === null ? 0 : performance.now() - waitsSince),
  }
}

const pieceSize = 128 * 1024

/** The next pieces joined into one that can be moved to another thread; empty at the end. */
const gather = async (source: AsyncIterator<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> => {
  const pieces: Uint8Array[] = []
  let size = 0
  while (size < pieceSize) {
    const { done, value } = await source.next()
    if (done) break
    pieces.push(value)
    size += value.length
  }
  const joined = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}
