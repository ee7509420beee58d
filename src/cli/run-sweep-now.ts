import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { CallFailure } from '../domain/call-failure.ts'
import { coverageSentence } from '../domain/sweep.ts'
import { perform } from '../operations/operation.ts'
import { sweepOperations } from '../operations/sweeps.ts'
import { readSweep, type SweepName } from '../store/radars/sweeps.ts'
import { type SweepQuote, type SweepShown, toSweepsView } from '../views/sweep.ts'
import { startEngine } from '../worker.ts'
import { type Approval, askApproval, exitCodeOfApproval } from './ask.ts'
import type { CommandContext } from './command.ts'
import { bracketedPrice, counted } from './lines/texts.ts'
import type { OpenInstallation } from './open.ts'
import { openActing } from './operation-command.ts'

/** Runs one sweep in this process, beside any workers; after Ctrl-C the next worker continues it. */
export const runSweepNow = async (
  context: CommandContext,
  opened: OpenInstallation,
  name: SweepName,
): Promise<SweepShown> => {
  await using running = await startEngine(opened, { looksUp: name === 'radars' })
  await using acting = openActing(opened)
  const { tools } = running
  const { sweep: id } = await perform(sweepOperations.run, acting.context, { name })
  const stopped = context.signal.aborted ? Promise.resolve() : once(context.signal, 'abort')
  for (;;) {
    const sweep = (await readSweep(tools.sql, BigInt(id)))!
    if (sweep.finishedAt || context.signal.aborted) {
      const [shown] = await toSweepsView(tools.sql, [sweep], opened.settings.budget.unitPrice)
      return shown!
    }
    await Promise.race([pause(250), stopped])
  }
}

/** 0 done, 1 failed, 3 if some documents could not be verified or it was left to a worker. */
export const exitCodeOfSweep = ({ state, due, verified, name }: SweepShown): number => {
  if (state === 'failed') return 1
  return state === 'running' || (name === 'radars' && verified < due) ? 3 : 0
}

export const sweepReport = (sweep: SweepShown): string => {
  const { bought, boughtKind } = sweep
  if (bought === null) return found(sweep)
  const units = boughtKind === 'cnh' ? counted(bought, 'driver’s licence') : counted(bought, 'analysis', 'analyses')
  return `${found(sweep)}; bought ${units}${bracketedPrice(sweep.price)}${movedText(sweep)}`
}

const movedText = ({ detail }: SweepShown): string => {
  const counts = Object.values((detail.moved ?? {}) as Record<string, number>)
  const documents = counts.reduce((sum, count) => sum + count, 0)
  return documents > 0 ? `; free figures of ${counted(documents, 'radar')} had moved` : ''
}

const found = (sweep: SweepShown): string => {
  if (sweep.state === 'running') return 'still running: the next worker continues it'
  if (sweep.state === 'failed') return `failed: ${String(sweep.detail.reason ?? 'see the log')}`
  const { due, verified, changed, detail } = sweep
  const unverified = (detail.unverified ?? {}) as Record<string, number>
  if (sweep.name === 'radars' || sweep.name === 'portfolio')
    return coverageSentence({ due, verified, changed, unverified })
  if (sweep.name === 'usage') return `${verified} of ${due} purchases found in our records, ${changed} differ`
  const counts = Object.entries(detail).filter(([, count]) => typeof count === 'number' && count > 0)
  return counts.map(([what, count]) => `${count} ${spaced(what)}`).join(', ') || 'nothing to do'
}

/** `lookupsWithoutJob` reads `lookups without job`. */
const spaced = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The option of every command that sweeps. */
export const yesToSweep = { flags: '--yes', about: 'approve the analyses that it needs to buy' }

/** Shows what a sweep would buy, asks for approval, runs it, and shows what it bought. Returns the exit code. */
export const sweepOnceAsked = async (
  context: CommandContext,
  opened: OpenInstallation,
  name: SweepName,
  yes: boolean | undefined,
): Promise<number> => {
  const quote = await readQuote(opened, name, yes)
  const cost = quote ? analysesPriced(quote) : ''
  if (quote?.analysesToBuy && !context.json) context.stderr.write(`A sweep of ${name} would buy up to ${cost}\n`)
  const approval: Approval = quote?.analysesToBuy === 0 ? 'yes' : await askApproval(context, `Buy up to ${cost}?`, yes)
  if (approval !== 'yes') {
    const again = `vigia sweep ${name} --yes`
    context.print({ sweep: null, ...quote }, () => `Nothing was verified or bought. To approve it, run \`${again}\`.`)
    return exitCodeOfApproval[approval]
  }
  const done = await runSweepNow(context, opened, name)
  context.print(done, () => sweepReport(done))
  return exitCodeOfSweep(done)
}

/** `3 analyses (R$5.70)`. */
export const analysesPriced = ({ analysesToBuy, price }: Pick<SweepQuote, 'analysesToBuy' | 'price'>): string =>
  `${counted(analysesToBuy, 'analysis', 'analyses')}${bracketedPrice(price)}`

/** Quoted before the engine starts, so nothing is bought during the question. Null: unknown, but approved by --yes. */
const readQuote = async (
  opened: OpenInstallation,
  name: SweepName,
  yes: boolean | undefined,
): Promise<SweepQuote | null> => {
  try {
    await using acting = openActing(opened)
    return await perform(sweepOperations.quote, acting.context, { name })
  } catch (error) {
    // The sweep itself waits for a registry that is down.
    if (yes && error instanceof CallFailure) return null
    throw error
  }
}
