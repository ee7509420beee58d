import { availableParallelism, totalmem } from 'node:os'

type Machine = { cores: number; memory: number; contained: boolean }

/**
 * What this process may use: all of the machine, or less where its container or service limits it.
 *
 * Node reads the limits of cgroup v2 and v1 itself, and sizes the heap accordingly: at half of the memory, unless
 * NODE_OPTIONS says `--max-old-space-size`. Without a limit the kernel reports a number beyond any memory.
 */
export const measureMachine = (): Machine => {
  const limit = process.constrainedMemory()
  const contained = limit > 0 && limit < totalmem()
  return { cores: availableParallelism(), memory: contained ? limit : totalmem(), contained }
}

/**
 * How many connections a process holds at most. The process itself runs on one core, so more connections only serve work
 * in parallel: imports, exports, people on the page. A machine with many cores has more of each.
 */
export const connectionsFor = ({ cores }: Pick<Machine, 'cores'>): number => Math.min(32, Math.max(10, 6 + 2 * cores))
