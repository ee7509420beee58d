import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The highest sequence that this machine has seen in the database, and the identity of that database. */
export type HighWater = { identity: string; sequence: bigint; at: Date }

const fileOf = (home: string): string => join(home, '.high-water.json')

/** What this home remembers; null if it has never seen a database, or the file is incomplete. */
export const readHighWater = async (home: string): Promise<HighWater | null> => {
  try {
    const kept = JSON.parse(await readFile(fileOf(home), 'utf8'))
    // Version 0.2 called the number `mark`.
    const { identity, sequence = kept.mark, at } = kept
    const moment = new Date(at)
    if (typeof identity !== 'string' || Number.isNaN(moment.getTime())) return null
    return { identity, sequence: BigInt(sequence), at: moment }
  } catch {
    return null
  }
}

/** Written completely or not at all; several processes of a home write the same thing. */
export const writeHighWater = async (home: string, { identity, sequence, at }: HighWater): Promise<void> => {
  const draft = `${fileOf(home)}.${process.pid}`
  await writeFile(draft, JSON.stringify({ identity, sequence: String(sequence), at: at.toISOString() }), {
    mode: 0o600,
  })
  await rename(draft, fileOf(home))
}
