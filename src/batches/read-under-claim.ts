import { hostname } from 'node:os'
import { FileProblem } from '../files/file-problem.ts'
import { identifyProcess } from '../home/process-identity.ts'
import { claimReading, forgetReadings, releaseReading } from '../store/batches/file-readings.ts'
import type { Database } from '../store/connect.ts'

/** How many processes may end while they read the same bytes before nobody reads them any more. */
const mostDeaths = 2

/**
 * Reads a stored file under a claim that is released when the reading ends, well or not. A claim whose process is gone
 * is a death; a file with too many of them is quarantined with a FileProblem, before anything of it is parsed.
 */
export const readUnderClaim = async <T>(
  sql: Database,
  { fileId, fromLine = 0 }: { fileId: bigint; fromLine?: number },
  read: () => Promise<T>,
): Promise<T> => {
  const reader = { host: hostname(), process: identifyProcess(process.pid) ?? String(process.pid) }
  const claim = await claimReading(sql, { ...reader, fileId, fromLine })
  if (!claim) return read()
  const deaths = claim.earlier.filter(isDead).length
  if (deaths >= mostDeaths) {
    await releaseReading(sql, claim.id)
    throw new FileProblem('quarantined', ['quarantined', deaths])
  }
  try {
    return await read()
  } finally {
    // Where the database is away the claim stays: as long as this process runs, nobody takes it for a death.
    await forgetReadings(sql, claim.id).catch(() => {})
  }
}

const isDead = ({ host, process, heard }: { host: string; process: string; heard: boolean }): boolean =>
  host === hostname() ? identifyProcess(Number.parseInt(process, 10)) !== process : !heard
