import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Price, priceOf } from '../domain/amount.ts'
import { CallFailure } from '../domain/call-failure.ts'
import { coverageSentence } from '../domain/sweep.ts'
import { analysesToBuy } from '../monitoring/preview-sweep.ts'
import { beginSweep } from '../monitoring/sweep.ts'
import { spentBySweeps } from '../store/purchases/spending.ts'
import { readSweep, type Sweep, type SweepName } from '../store/radars/sweeps.ts'
import { openPlace, openRegistry, startEngine } from '../worker.ts'
import { exitCodeOfWord, type Word, wordOn } from './ask.ts'
import { type CommandContext, whoCalls } from './context.ts'
import type { Opened } from './open.ts'
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

/** The option of every command that sweeps. */
export const yesToSweep = { flags: '--yes', about: 'buy the analyses that it needs without asking' }

/** Says what a sweep would buy, asks, runs it, and says what it bought. Gives the exit code. */
export async function sweepOnceAsked(
  context: CommandContext,
  opened: Opened,
  name: SweepName,
  yes: boolean | undefined,
): Promise<number> {
  const toBuy = await readToBuy(opened, name, yes)
  const price = toBuy === null ? null : priceOf(opened.settings.budget.unitPrice, 'analysis', toBuy)
  const cost = `${counted(toBuy ?? 0, 'analysis', 'analyses')}${priceText(price)}`
  if (toBuy && !context.json) context.stderr.write(`A sweep of ${name} would buy up to ${cost}\n`)
  const word: Word = toBuy === 0 ? 'yes' : await wordOn(context, `Buy up to ${cost}?`, yes)
  if (word !== 'yes') {
    const again = `vigia sweep ${name} --yes`
    const answer = { sweep: null, name, analysesToBuy: toBuy, price }
    context.print(answer, () => `Nothing was looked at or bought. \`${again}\` does it.`)
    return exitCodeOfWord[word]
  }
  const done = await runSweepNow(context, opened, name)
  const spent = (await readSpent(opened, [done])).get(done.id)
  context.print(plainSweep(done, spent), () => sweepSays(done, spent))
  return exitCodeOfSweep(done)
}

/** Asked before the engine starts, so that nothing is bought while somebody thinks. Null: a word was given, and nobody knows. */
async function readToBuy(opened: Opened, name: SweepName, yes: boolean | undefined): Promise<number | null> {
  if (name !== 'radars') return 0
  try {
    await using place = await openPlace(opened.settings)
    await using open = await openRegistry(opened, place)
    open.registry.turnstile.bound.ceiling = 1
    const { sql, settings } = opened
    // Awaited here: the registry is closed when this function ends.
    return await analysesToBuy({ sql, settings, registry: open.registry, accounts: place.accounts, clock }, name)
  } catch (error) {
    // The sweep itself waits for a registry that is down.
    if (yes && error instanceof CallFailure) return null
    throw error
  }
}

const clock = (): Date => new Date()
