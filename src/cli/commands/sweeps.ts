import { previewSweep } from '../../monitoring/preview-sweep.ts'
import { sweepOperations } from '../../operations/sweeps.ts'
import { isSweepName, sweepNames } from '../../store/radars/sweeps.ts'
import type { SweepPreview, SweepShown } from '../../views/sweep.ts'
import { startEngine } from '../../worker.ts'
import { type CommandDefinition, UsageError } from '../command.ts'
import { counted, localMoment, number, renderTable } from '../lines/texts.ts'
import { openForPeople } from '../open.ts'
import { operationCommand } from '../operation-command.ts'
import { integerOption } from '../options.ts'
import { analysesPriced, sweepOnceAsked, sweepReport, yesToSweep } from '../run-sweep-now.ts'

const list = operationCommand(sweepOperations.list, {
  examples: [],
  lines: ({ sweeps: found }, { settings: { timezone }, width }) =>
    found.length > 0
      ? renderTable(
          columns,
          found.map((each) => cellsOf(each, timezone)),
          width,
        )
      : 'No sweeps yet: `vigia worker` starts them on schedule.',
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

const columns = [
  { title: 'SWEEP', align: 'right' },
  { title: 'NAME' },
  { title: 'STARTED' },
  { title: 'BY' },
  { title: 'STATE' },
  { title: 'WHAT IT FOUND', free: true },
] as const

const cellsOf = (shown: SweepShown, timezone: string): string[] => [
  String(shown.sweep),
  shown.name,
  localMoment(shown.started, timezone),
  shown.trigger,
  shown.state,
  sweepReport(shown),
]

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
    const table = renderTable(previewColumns, organizations.map(previewCells), width)
    return `${table}\n${would} buy up to ${analysesPriced(preview)}.`
  }
  if (batches !== undefined && lookups !== undefined)
    return `${would} delete ${counted(batches, 'batch', 'batches')} and ${counted(lookups, 'look-up')}.`
  const read =
    typeof wouldRead === 'number' ? `the registry’s usage of ${counted(wouldRead, 'organization')}` : wouldRead
  return `${would} read ${read}, and buy nothing.`
}

const previewColumns = [
  { title: 'ORGANIZATION', align: 'right' },
  { title: 'LISTED', align: 'right' },
  { title: 'KNOWN', align: 'right' },
  { title: 'MISSING', align: 'right' },
  { title: 'TO LOOK AT', align: 'right' },
  { title: 'TO BUY', align: 'right' },
  { title: 'NOTE', free: true },
] as const

type OrganizationPreview = NonNullable<SweepPreview['organizations']>[number]

const previewCells = (found: OrganizationPreview): string[] => {
  const {
    organization,
    listed,
    known,
    missing,
    toLookAt,
    analysesToBuy,
    analysesDue,
    analysesMoved,
    analysesIfMoved,
    suspicion,
  } = found
  const wanted = analysesDue + analysesMoved + analysesIfMoved
  const notes = [
    suspicion && `the list would be rejected: ${suspicion}`,
    analysesMoved + analysesIfMoved > 0 &&
      `${number(analysesDue)} missing or too old, ${number(analysesMoved)} with moved figures, ${number(analysesIfMoved)} only if theirs move`,
    wanted > analysesToBuy && `${number(wanted - analysesToBuy)} more, beyond budget.perBatch`,
  ]
  const figures = [listed, known, missing, toLookAt, analysesToBuy].map(number)
  return [String(organization), ...figures, notes.filter(Boolean).join('; ')]
}
