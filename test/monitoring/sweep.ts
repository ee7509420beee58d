import { nightTimeouts, type SweepTimeouts, takeRadarSweepFurther } from '../../src/monitoring/radar-sweep.ts'
import { beginSweep } from '../../src/monitoring/sweep.ts'
import { insertSweep, readSweep, type Sweep, type SweepName } from '../../src/store/radars/sweeps.ts'
import type { Setup } from '../support/setup.ts'
import { until } from '../support/until.ts'

/** Runs a radar sweep to its end, with each step at once instead of by the queue. */
export const sweepRadars = async (t: Setup, timeouts: Partial<SweepTimeouts> = {}): Promise<Sweep> =>
  sweepOn(t, await beginRadars(t), { ...nightTimeouts, look: 0, ...timeouts })

export const beginRadars = async ({ sql, tools }: Pick<Setup, 'sql' | 'tools'>): Promise<bigint> => {
  const slot = `test ${performance.now()}`
  return (await insertSweep(sql, { name: 'radars', slot, trigger: 'operator', now: tools.clock() }))!
}

export const sweepOn = ({ sql, tools }: Setup, id: bigint, timeouts: SweepTimeouts): Promise<Sweep> =>
  until(async () => (await takeRadarSweepFurther(tools, id, { timeouts })) === null && readSweep(sql, id))

/** Runs a sweep through the real queue to its end. */
export const sweepByQueue = async (t: Setup, name: SweepName, withinMs?: number): Promise<Sweep> => {
  const { tools, settings, sql } = t
  const id = await beginSweep(tools, { name, by: 'test', now: tools.clock(), timezone: settings.timezone })
  return until(async () => {
    const found = await readSweep(sql, id)
    return found?.finishedAt ? found : null
  }, withinMs)
}
