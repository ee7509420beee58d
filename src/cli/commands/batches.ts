import { batchOperations } from '../../operations/batches.ts'
import type { BatchLine } from '../../views/batch.ts'
import { renderStatus } from '../lines/batch.ts'
import { renderIncidents } from '../lines/incident.ts'
import { localMoment, number, priced } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { operationCommand } from '../operation-command.ts'

/** The batches, newest first. */
export const batches = operationCommand(batchOperations.list, {
  examples: [
    { line: 'vigia batches', about: 'List the last twenty' },
    { line: 'vigia batches --state running --json', about: 'List the running batches, for a script' },
  ],

  lines({ batches: listed, trouble }, { settings: { timezone }, stdout, width, options }) {
    const incidents = renderIncidents(trouble, { timezone, now: new Date(), stdout })
    if (listed.length === 0) return [...incidents, emptyText(options)].join('\n')
    const cells = listed.map((line) => cellsOf(line, timezone))
    return [...incidents, renderTable(columns, cells, width)].join('\n')
  },
})

const emptyText = ({ before, state, search }: Record<string, unknown>): string =>
  before || state || search
    ? 'No matching batches; `vigia batches` lists all of them.'
    : 'No batches yet: create one with `vigia run FILE` or `vigia submit FILE`.'

const columns = [
  { title: 'BATCH', align: 'right' },
  { title: 'NAME', free: true },
  { title: 'KIND' },
  { title: 'STATE' },
  { title: 'DONE', align: 'right' },
  { title: 'ROWS', align: 'right' },
  { title: 'CHARGED', align: 'right' },
  { title: 'SUBMITTED' },
] as const

const cellsOf = (
  { batch, name, kind, shown, done, rows, charged, price, submitted }: BatchLine,
  timezone: string,
): string[] => [
  String(batch),
  name,
  kind,
  shown,
  number(done),
  number(rows),
  priced(charged, price),
  localMoment(submitted, timezone),
]

/** A command that does one action to a batch and shows its new status; the engine follows within two seconds. */
const steeringCommand = (name: 'confirm' | 'pause' | 'resume' | 'cancel', about: string) =>
  operationCommand(batchOperations[name], {
    arguments: [{ name: '<id>', about: 'the number of a batch' }],
    flags: [],
    examples: [{ line: `vigia ${name} 12`, about }],
    lines: (status, { settings }) => renderStatus(status, settings),
  })

export const confirm = steeringCommand('confirm', 'Approve a batch above budget.confirmAbove')
export const pause = steeringCommand('pause', 'Send nothing new; what was paid for is still fetched')
export const resume = steeringCommand('resume', 'Resume where it stopped')
export const cancel = steeringCommand('cancel', 'End what was not sent yet, and report every row')
