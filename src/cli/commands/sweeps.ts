import { previewSweep } from '../../monitoring/preview-sweep.ts'
import { sweepOperations } from '../../operations/sweeps.ts'
import { isSweepName, sweepNames } from '../../store/radars/sweeps.ts'
import type { SweepPreview } from '../../views/sweep.ts'
import { startEngine } from '../../worker.ts'
import { type CommandDefinition, UsageError } from '../command.ts'
import { type Column, counted, number, renderTable } from '../lines/texts.ts'
import { openForPeople } from '../open.ts'
import { operationCommand } from '../operation-command.ts'
import { integerOption } from '../options.ts'
import { analysesPriced, sweepOnceAsked, sweepReport, yesToSweep } from '../run-sweep-now.ts'

const list = operationCommand(sweepOperations.list, {
  examples: [],
  lines: ({ sweeps: found }, { at, table }) =>
    table(
      found,
      [
        ['SWEEP', (each) => each.sweep, 'right'],
        ['NAME', ({ name }) => name],
        ['STARTED', ({ started }) => at(started)],
        ['BY', ({ trigger }) => trigger],
        ['STATE', ({ state }) => state],
        ['WHAT IT FOUND', sweepReport, 'free'],
      ],
      'No sweeps yet: `vigia worker` starts them on schedule.',
    ),
})

const unverifiedOf = operationCommand(sweepOperations.unverified, {
  examples: [],
  lines: ({ missing }) =>
    missing.map(({ document, unverified: why }) => `${document}  ${why ?? 'not verified'}`).join('\n'),
})

/** The past sweeps with their coverage, newest first. */
export const sweeps: CommandDefinition<{ unverified?: number }> = {
  options: [
    ...list.options!,
    {
      flags: '--unverified <sweep>',
      about: 'list the documents that a sweep could not verify',
      parse: integerOption('--unverified', 1),
    },
  ],
  examples: [
    { line: 'vigia sweeps --name radars', about: 'List the last thirty radar sweeps' },
    { line: 'vigia sweeps --unverified 812', about: 'List the documents that were not verified that night, and why' },
  ],
  run: (context, args, { unverified, ...options }) =>
    unverified === undefined ? list.run(context, args, options) : unverifiedOf.run(context, [String(unverified)], {}),
}

/** Runs one sweep now, whatever the schedule. */
export const sweep: CommandDefinition<{ dryRun?: boolean; yes?: boolean }> = {
  arguments: [{ name: '<name>', about: sweepNames.join(', ') }],
  options: [{ flags: '--dry-run', about: 'show what it would do, and do nothing' }, yesToSweep],
  examples: [
    { line: 'vigia sweep radars', about: 'Verify every radar now, after approval of the cost' },
    { line: 'vigia sweep radars --dry-run', about: 'Show how many documents it would verify, and the cost' },
  ],

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
