import { CallFailure } from '../domain/call-failure.ts'
import { priceOf } from '../domain/price.ts'
import { analysesToBuy } from '../monitoring/preview-sweep.ts'
import type { SweepName } from '../store/sweeps.ts'
import { openPlace, openRegistry } from '../worker.ts'
import { exitCodeOfWord, type Word, wordOn } from './ask.ts'
import type { CommandContext } from './context.ts'
import type { Opened } from './open.ts'
import { exitCodeOfSweep, plainSweep, readSpent, runSweepNow, sweepSays } from './run-sweep-now.ts'
import { counted, priceText } from './wording.ts'

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
    open.registry.bound.ceiling = 1
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
