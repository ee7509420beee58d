import { readableKey } from '../../domain/readable-pairs.ts'
import { syncUsage } from '../../monitoring/sync-usage.ts'
import { type PlanUsage, toPlanUsage } from '../../views/plans.ts'
import { startEngine } from '../../worker.ts'
import type { CommandDefinition } from '../command.ts'
import { number } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openForPeople } from '../open.ts'

/** What each plan consumed, and what is left where the registry shows it. Asking is free. */
export const plans: CommandDefinition = {
  examples: [{ line: 'vigia plans --json', about: 'Show what each plan consumed, for a script' }],

  async run(context) {
    await using opened = await openForPeople(context)
    await using running = await startEngine(opened, { looksUp: false })
    const { detail } = await syncUsage(running.tools, context.signal)
    const organizations = detail.organizations.map(toPlanUsage)
    context.print({ organizations }, () => render(organizations, context.stdout.columns))
    return 0
  },
}

const render = (organizations: readonly PlanUsage[], width: number | undefined): string => {
  const rows = organizations.flatMap(({ organization, plans: all }) =>
    all.map(({ plan, consumed }) => [String(organization), plan, number(consumed)]),
  )
  const table = rows.length > 0 ? renderTable(columns, rows, width) : 'No plan has consumed anything yet.'
  return [table, '', ...organizations.flatMap(notesOf)].join('\n')
}

const notesOf = ({ organization, complete, left }: PlanUsage): string[] => [
  ...(complete ? [] : [`The list of ${organization} may not show everything: more may be consumed.`]),
  left === null
    ? `What is left of the plans of ${organization}: the interface of the registry does not show it.`
    : `The list of ${organization} also shows: ${left.map(({ path, value }) => `${path.map(readableKey).join(' · ')} ${value}`).join(', ')}`,
]

const columns = [
  { title: 'ORGANIZATION', align: 'right' },
  { title: 'PLAN' },
  { title: 'CONSUMED', align: 'right' },
] as const
