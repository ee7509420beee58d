import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { identifyProcess } from '../home/process-identity.ts'

const prefix = 'vigia-download-'
const host = hostname().replace(/[^\w.]/g, '_')
const day = 86_400_000

/** A folder for a file that is sent and then deleted. Its name contains the process that made it. */
export const makeDownloadFolder = (): Promise<string> => mkdtemp(join(tmpdir(), `${prefix}${host}-${process.pid}-`))

/**
 * Deletes what killed processes left while they sent a file, because it contains personal data. If a process is on
 * another host, or did not write its name, nobody knows whether it runs: its folder is deleted after a day.
 */
export const removeAbandonedDownloads = async (now: Date): Promise<number> => {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  let removed = 0
  for (const name of names) {
    const path = join(tmpdir(), name)
    if (isOfTheLiving(name) || (!isOurs(name) && (await ageOf(path, now)) < day)) continue
    await rm(path, { recursive: true, force: true })
    removed++
  }
  return removed
}

const isOurs = (name: string): boolean => name.startsWith(`${prefix}${host}-`)

const isOfTheLiving = (name: string): boolean => {
  const pid = isOurs(name) ? /^(\d+)-/.exec(name.slice(prefix.length + host.length + 1))?.[1] : undefined
  return pid !== undefined && identifyProcess(Number(pid)) !== undefined
}

const ageOf = (path: string, now: Date): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => now.getTime() - mtimeMs,
    () => 0,
  )
