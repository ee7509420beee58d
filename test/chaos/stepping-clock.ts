import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileOf = (folder: string, pid: number): string => join(folder, `clock-${pid}`)

/** Steps the wall clock of another process on this machine that has called `letClockStep`. */
export const stepClock = async (folder: string, pid: number, ms: number): Promise<void> => {
  await writeFile(fileOf(folder, pid), String(ms))
  process.kill(pid, 'SIGUSR2')
}

/** Allows the wall clock of this process to be stepped, as by NTP or a resumed machine; the monotonic clock is unchanged. */
export const letClockStep = (folder: string): void => {
  const RealDate = Date
  let aheadMs = 0
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: [], self) =>
      Reflect.construct(target, args.length > 0 ? args : [RealDate.now() + aheadMs], self),
    get: (target, key) => (key === 'now' ? () => RealDate.now() + aheadMs : Reflect.get(target, key)),
  })
  process.on('SIGUSR2', () => {
    aheadMs = Number(readFileSync(fileOf(folder, process.pid), 'utf8'))
  })
}
