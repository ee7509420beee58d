import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Distinguishes a process from a later one with the same number; undefined if there is none.
 *
 * Numbers are reused: at once in a restarted container, where the program is number 1 or 7 every time.
 */
export const identifyProcess = (pid: number): string | undefined => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined
  }
  return process.platform === 'linux' ? identifyOnLinux(pid) : `${pid}`
}

/** The command line of a process; empty if the process has ended or is hidden. */
export const commandOf = (pid: number): string => {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'command=', '-p', `${pid}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return ''
  }
}

const identifyOnLinux = (pid: number): string | undefined => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may contain spaces and brackets; the state is field 3, the start time field 22.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const zombie = state === 'Z' || state === 'X'
    return zombie ? undefined : `${pid} ${rest[18]} ${boot}`
  } catch {
    return undefined
  }
}
