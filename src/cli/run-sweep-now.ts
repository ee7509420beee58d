import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { coverageSentence } from '../domain/coverage.ts'
import { type Price, priceOf } from '../domain/price.ts'
import { beginSweep } from '../monitoring/begin-sweep.ts'
import { spentBySweeps } from '../store/sweep-spending.ts'
import { readSweep, type Sweep, type SweepName } from '../store/sweeps.ts'
import { startEngine } from '../worker.ts'
import type { CommandContext } from './context.ts'
import type { Opened } from './open.ts'
import { whoCalls } from './who.ts'
import { counted, priceText } from './wording.ts'

/** Runs one sweep in this process, beside whatever workers there are; after Ctrl-C the next worker goes on with it. */
export async function runSweepNow(context: CommandContext, opened: Opened, name: SweepName): Promise<Sweep> {
  await using running = await startEngine(opened, { looksUp: name === 'radars' })
  const { tools } = running
  const { timezone } = opened.settings
  const id = await beginSweep(tools, { name, by: whoCalls(), now: tools.clock(), timezone })
  const stopped = context.signal.aborted ? Promise.resolve() : once(context.signal, 'abort')
  for (;;) {
    const sweep = (await readSweep(tools.sql, id))!
    if (sweep.finishedAt || context.signal.aborted) return sweep
    await Promise.race([pause(250), stopped])
  }
}

/** 0 done, 1 failed, 3 when some documents could not be looked at or it was left to a worker. */
export const exitCodeOfSweep = ({ state, due, verified, name }: Sweep): number => {
  if (state === 'failed') return 1
  return state === 'running' || (name === 'radars' && verified < due) ? 3 : 0
}

/** What a sweep has bought, in units and, where a price is known, in money. */
export type Spent = { units: number; price: Price | null }

export const readSpent = async ({ sql, settings }: Opened, sweeps: readonly Sweep[]): Promise<Map<bigint, Spent>> => {
  const spent = await spentBySweeps(
    sql,
    sweeps.map(({ id }) => id),
  )
  const priced = (units: number) => ({ units, price: priceOf(settings.budget.unitPrice, 'analysis', units) })
  return new Map([...spent].map(([id, units]) => [id, priced(units)]))
}

export const sweepSays = (sweep: Sweep, spent?: Spent): string =>
  spent
    ? `${found(sweep)}; bought ${counted(spent.units, 'analysis', 'analyses')}${priceText(spent.price)}`
    : found(sweep)

const found = (sweep: Sweep): string => {
  if (sweep.state === 'running') return 'still runs: the next worker goes on with it'
  if (sweep.state === 'failed') return `failed: ${String(sweep.detail.reason ?? 'see the log')}`
  const { due, verified, changed, detail } = sweep
  const unverified = (detail.unverified ?? {}) as Record<string, number>
  if (sweep.name === 'radars') return coverageSentence({ due, verified, changed, unverified })
  if (sweep.name === 'usage') return `${verified} of ${due} purchases found in our books, ${changed} differ`
  const counts = Object.entries(detail).filter(([, count]) => typeof count === 'number' && count > 0)
  return counts.map(([what, count]) => `${count} ${inWords(what)}`).join(', ') || 'nothing to do'
}

/** `lookupsWithoutJob` reads `lookups without job`. */
const inWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

export const plainSweep = ({ id, startedAt, finishedAt, ...sweep }: Sweep, spent?: Spent) => ({
  sweep: Number(id),
  ...sweep,
  bought: spent?.units ?? null,
  price: spent?.price ?? null,
  started: startedAt.toISOString(),
  finished: finishedAt?.toISOString() ?? null,
})
