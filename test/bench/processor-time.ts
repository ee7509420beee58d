import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const ticksPerSecond = 100

/** The processor time of a process. */
export const processorSecondsOf = async (pid: number): Promise<number> =>
  (await ticksOf(`${pid}`, false)) / ticksPerSecond

/** The processor time of all processes of a PostgreSQL, with those that have ended. */
export const processorSecondsOfServer = async (data: string): Promise<number> => {
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const ticks = await Promise.all([
    ticksOf(`${pid}`, true),
    ...children
      .trim()
      .split(' ')
      .map((child) => ticksOf(child, false).catch(() => 0)),
  ])
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond
}

/** Its own, and on request that of its children that have ended. (proc(5): fields 14 to 17 of stat) */
const ticksOf = async (pid: string, withEnded: boolean): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return fields.slice(11, withEnded ? 15 : 13).reduce((sum, each) => sum + each, 0)
}
