import { hostname } from 'node:os'
import { FileProblem } from '../files/file-problem.ts'
import { identifyProcess } from '../home/process-identity.ts'
import { claimFileRead, forgetFileReads, releaseFileRead } from '../store/batches/files.ts'
import type { Database } from '../store/connect.ts'

/** How many processes may end while they read the same bytes before the file is quarantined. */
const mostDeaths = 2

/** The stored file that is read, and the first line if an import resumes in the middle. */
type Claimed = { fileId: bigint; fromLine?: number }

/**
 * Reads a stored file under a claim that is released when reading ends, even by an error. A claim whose process is gone
 * counts as a death. A file with too many deaths is quarantined with a FileProblem before anything of it is parsed.
 */
export const readUnderClaim = async <T>(sql: Database, claimed: Claimed, read: () => Promise<T>): Promise<T> => {
  const release = await claim(sql, claimed)
  try {
    return await read()
  } finally {
    await release()
  }
}

/** The same for rows that are read on demand: the claim ends once the last row is read, even if it is not yet written. */
export async function* streamUnderClaim<T>(
  sql: Database,
  claimed: Claimed,
  source: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const release = await claim(sql, claimed)
  try {
    yield* source()
  } finally {
    await release()
  }
}

const claim = async (sql: Database, { fileId, fromLine = 0 }: Claimed): Promise<() => Promise<void>> => {
  const reader = { host: hostname(), process: identifyProcess(process.pid) ?? String(process.pid) }
  const made = await claimFileRead(sql, { ...reader, fileId, fromLine })
  if (!made) return async () => {}
  const deaths = made.earlier.filter(isDead).length
  if (deaths >= mostDeaths) {
    await releaseFileRead(sql, made.id)
    throw new FileProblem('quarantined', ['quarantined', deaths])
  }
  // If the database is away the claim stays. It is no death as long as this process runs.
  return () =>
    forgetFileReads(sql, made.id).then(
      () => {},
      () => {},
    )
}

const isDead = ({ host, process, heard }: { host: string; process: string; heard: boolean }): boolean =>
  host === hostname() ? identifyProcess(Number.parseInt(process, 10)) !== process : !heard
