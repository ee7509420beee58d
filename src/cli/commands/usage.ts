import type { z } from 'zod'
import { readableKey } from '../../domain/readable-pairs.ts'
import { syncUsage } from '../../monitoring/sync-usage.ts'
import { perform } from '../../operations/operation.ts'
import { usageOperations } from '../../operations/usage.ts'
import { type PlanUsage, toPlanUsage } from '../../views/usage.ts'
import { startEngine } from '../../worker.ts'
import type { CommandContext, CommandDefinition } from '../command.ts'
import { type Column, number, priced, renderTable } from '../lines/texts.ts'
import { type OpenInstallation, openForPeople } from '../open.ts'
import { openActing } from '../operation-command.ts'
import { flagNamed, flagOf, unmaskedOption } from '../options.ts'

/** Reads the registry's list first. Asking is free. */
const syncNow = async (context: CommandContext, opened: OpenInstallation) => {
  await using running = await startEngine(opened, { looksUp: false })
  return (await syncUsage(running.tools, context.signal)).detail
}

/** Plan consumption as the registry reports it, beside our records. */
export const usage: CommandDefinition<{ days: string; unmasked?: boolean }> = {
  options: [flagOf('days', usageOperations.read.input.shape.days), unmaskedOption],
  examples: {
    'vigia usage': 'Reconcile the last thirty days, and list every document that differs',
    'vigia usage --days 7 --json': 'Reconcile a week, for a script',
  },

  async run(context, _args, { days, unmasked }) {
    await using opened = await openForPeople(context)
    await using acting = openActing(opened)
    const detail = await syncNow(context, opened)
    const read = await perform(usageOperations.read, { ...acting.context, unmasked }, { days }, flagNamed)
    context.print({ ...detail, ...read }, () =>
      [daysTable(read.days, context.stdout.columns), ...contradictedLines(read.contradicted)].join('\n'),
    )
    return 0
  },
}

type UsageRead = z.output<typeof usageOperations.read.output>

const daysTable = (days: UsageRead['days'], width: number | undefined): string => {
  if (days.length === 0) return 'Nothing was bought in these days.'
  const differing = days.flatMap(({ day, differing: all }) =>
    all.map(({ document, because }) => `${day}  ${document}  ${because}`),
  )
  return [
    renderTable(days, dayColumns, width),
    ...(differing.length > 0 ? ['', 'Differences:', ...differing] : []),
    '',
    'The registry lists analyses only; for the cost of CNH look-ups, see `vigia batches`.',
  ].join('\n')
}

const contradictedLines = (all: UsageRead['contradicted']): string[] =>
  all.length === 0
    ? []
    : [
        '',
        'Bought although the organization owned an analysis that the list did not show:',
        ...all.map(({ document, bought, owned }) => `${document}  bought ${bought ?? '–'}, owned analysis ${owned}`),
      ]

const dayColumns: Column<UsageRead['days'][number]>[] = [
  ['DAY', ({ day }) => day],
  ['ORGANIZATION', ({ organization }) => organization, 'right'],
  ['REGISTRY', ({ told, price }) => priced(told, price), 'right'],
  ['VIGIA', ({ recorded }) => recorded, 'right'],
  ['DIFFERENCE', ({ difference }) => difference, 'right'],
]

/** What each plan consumed, and what is left where the registry shows it. */
export const plans: CommandDefinition = {
  examples: { 'vigia plans --json': 'Show what each plan consumed, for a script' },

  async run(context) {
    await using opened = await openForPeople(context)
    const detail = await syncNow(context, opened)
    const organizations = detail.organizations.map(toPlanUsage)
    context.print({ organizations }, () => renderPlans(organizations, context.stdout.columns))
    return 0
  },
}

const renderPlans = (organizations: readonly PlanUsage[], width: number | undefined): string => {
  const rows = organizations.flatMap(({ organization, plans: all }) => all.map((each) => ({ organization, ...each })))
  const columns: Column<(typeof rows)[number]>[] = [
    ['ORGANIZATION', ({ organization }) => organization, 'right'],
    ['PLAN', ({ plan }) => plan],
    ['CONSUMED', ({ consumed }) => number(consumed), 'right'],
  ]
  const table = rows.length > 0 ? renderTable(rows, columns, width) : 'No plan has consumed anything yet.'
  return [table, '', ...organizations.flatMap(notesOf)].join('\n')
}

const notesOf = ({ organization, complete, left }: PlanUsage): string[] => [
  ...(complete ? [] : [`The list of ${organization} may not show everything: more may be consumed.`]),
  left === null
    ? `What is left of the plans of ${organization}: the interface of the registry does not show it.`
    : `The list of ${organization} also shows: ${left.map(({ path, value }) => `${path.map(readableKey).join(' · ')} ${value}`).join(', ')}`,
]
