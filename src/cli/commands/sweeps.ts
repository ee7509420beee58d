import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { CallFailure } from '../../domain/call-failure.ts'
import { coverageSentence } from '../../domain/sweep.ts'
import { previewSweep } from '../../monitoring/preview-sweep.ts'
import { perform } from '../../operations/operation.ts'
import { sweepOperations } from '../../operations/sweeps.ts'
import { isSweepName, readSweep, type SweepName, sweepNames } from '../../store/radars/sweeps.ts'
import { type SweepPreview, type SweepQuote, type SweepShown, toSweepsView } from '../../views/sweep.ts'
import { startEngine } from '../../worker.ts'
import { type Approval, askApproval, exitCodeOfApproval } from '../ask.ts'
import { type CommandContext, type CommandDefinition, UsageError } from '../command.ts'
import { bracketedPrice, type Column, counted, number, renderTable, spaced } from '../lines/texts.ts'
import { type OpenInstallation, openForPeople } from '../open.ts'
import { openActing, operationCommand } from '../operation-command.ts'
import { integerOption } from '../options.ts'

const list = operationCommand(sweepOperations.list, {
  examples: {},
  lines: ({ sweeps: found }, { at, table }) =>
    table(found, 'No sweeps yet: `vigia worker` starts them on schedule.', [
      ['SWEEP', (each) => each.sweep, 'right'],
      ['NAME', ({ name }) => name],
      ['STARTED', ({ started }) => at(started)],
      ['BY', ({ trigger }) => trigger],
      ['STATE', ({ state }) => state],
      ['WHAT IT FOUND', sweepReport, 'free'],
    ]),
})

const unverifiedOf = operationCommand(sweepOperations.unverified, {
  examples: {},
  lines: ({ missing }) =>
    missing.map(({ document, unverified: why }) => `${document}  ${why ?? 'not verified'}`).join('\n'),
})

/** The past sweeps with their coverage, newest first. */
export const sweeps: CommandDefinition<{ unverified?: number }> = {
  options: [
    ...list.options!,
    integerOption('--unverified <sweep>', 'list the documents that a sweep could not verify', 1),
  ],
  examples: {
    'vigia sweeps --name radars': 'List the last thirty radar sweeps',
    'vigia sweeps --unverified 812': 'List the documents that were not verified that night, and why',
  },
  run: (context, args, { unverified, ...options }) =>
    unverified === undefined ? list.run(context, args, options) : unverifiedOf.run(context, [String(unverified)], {}),
}

/** The option of every command that sweeps. */
export const yesToSweep = { flags: '--yes', about: 'approve the analyses that it needs to buy' }

/** Runs one sweep now, whatever the schedule. */
export const sweep: CommandDefinition<{ dryRun?: boolean; yes?: boolean }> = {
  arguments: [{ name: '<name>', about: sweepNames.join(', ') }],
  options: [{ flags: '--dry-run', about: 'show what it would do, and do nothing' }, yesToSweep],
  examples: {
    'vigia sweep radars': 'Verify every radar now, after approval of the cost',
    'vigia sweep radars --dry-run': 'Show how many documents it would verify, and the cost',
  },

  async run(context, [name], { dryRun, yes }) {
    if (!isSweepName(name!)) throw new UsageError(`There is no sweep "${name}": choose ${sweepNames.join(', ')}`)
    await using opened = await openForPeople(context)
    if (dryRun) {
      await using running = await startEngine(opened, { looksUp: false })
      const found = await previewSweep(running.tools, name)
      context.print(found, () => previewLines(found, context.stdout.columns))
      return 0
    }
    return await sweepOnceAsked(context, opened, name, yes)
  },
}

/** The preview of a sweep, for people. */
const previewLines = (preview: SweepPreview, width: number | undefined): string => {
  const { name, organizations, batches, lookups, wouldRead } = preview
  const would = `Nothing was done. A sweep of ${name} would`
  if (organizations) {
    return `${renderTable(organizations, previewColumns, width)}\n${would} buy up to ${analysesPriced(preview)}.`
  }
  if (batches !== undefined && lookups !== undefined)
    return `${would} delete ${counted(batches, 'batch', 'batches')} and ${counted(lookups, 'look-up')}.`
  const read =
    typeof wouldRead === 'number' ? `the registry’s usage of ${counted(wouldRead, 'organization')}` : wouldRead
  return `${would} read ${read}, and buy nothing.`
}

type OrganizationPreview = NonNullable<SweepPreview['organizations']>[number]

const previewColumns: Column<OrganizationPreview>[] = [
  ['ORGANIZATION', ({ organization }) => organization, 'right'],
  ['LISTED', ({ listed }) => number(listed), 'right'],
  ['KNOWN', ({ known }) => number(known), 'right'],
  ['MISSING', ({ missing }) => number(missing), 'right'],
  ['TO LOOK AT', ({ toLookAt }) => number(toLookAt), 'right'],
  ['TO BUY', ({ analysesToBuy }) => number(analysesToBuy), 'right'],
  ['NOTE', (found) => notesOf(found), 'free'],
]

const notesOf = ({ analysesToBuy, analysesDue, analysesMoved, analysesIfMoved, suspicion }: OrganizationPreview) => {
  const wanted = analysesDue + analysesMoved + analysesIfMoved
  const notes = [
    suspicion && `the list would be rejected: ${suspicion}`,
    analysesMoved + analysesIfMoved > 0 &&
      `${number(analysesDue)} missing or too old, ${number(analysesMoved)} with moved figures, ${number(analysesIfMoved)} only if theirs move`,
    wanted > analysesToBuy && `${number(wanted - analysesToBuy)} more, beyond budget.perBatch`,
  ]
  return notes.filter(Boolean).join('; ')
}

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
const analysesPriced = ({ analysesToBuy, price }: Pick<SweepQuote, 'analysesToBuy' | 'price'>): string =>
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
