import { readFileSync } from 'node:fs'

/** Longest turn of the event loop in milliseconds, and peak memory in MiB. */
export type Measured = { longestTurnMs: number; peakMiB: number }

/** How much more three times the rows may take: garbage that V8 had no reason to collect yet, but no rows. */
export const slackMiB = 32

/** The longest turn that any machine may need for a part of a file. The complete file of a test takes it many seconds. */
export const longestPartMs = 500

/**
 * Measures this process from now on.
 *
 * A turn is measured in the thread's own processor time. On a busy machine the wall clock advances while the process
 * waits for a core, as if the code held up the loop.
 */
export const measureProcess = (): (() => Measured) => {
  let longest = 0
  let before = busyMicros()
  setInterval(() => {
    const now = busyMicros()
    longest = Math.max(longest, now - before)
    before = now
  }, 1).unref()
  return () => ({
    longestTurnMs: Math.round(longest / 1_000),
    peakMiB: Math.round(peakKiB() / 1_024),
  })
}

/** On Linux, `maxRSS` begins with the memory of the parent process at the start. */
const peakKiB = (): number => {
  const own =
    process.platform === 'linux' ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) : null
  return own ? Number(own[1]) : process.resourceUsage().maxRSS
}

const busyMicros = (): number => {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
