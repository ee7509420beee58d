import { inflateRawSync } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'

/** The parts of a zip as text, by their names. */
export const partsIn = async (bytes: Buffer): Promise<Record<string, string>> => {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  const parts: Record<string, string> = {}
  for await (const entry of zip.eachEntry()) {
    const packed: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry, { decodeFileData: false })) packed.push(piece)
    parts[entry.fileName] = inflateRawSync(Buffer.concat(packed)).toString()
  }
  return parts
}
