import { type ParkedShown, readParked } from '../../views/parked.ts'
import type { CommandDefinition } from '../command.ts'
import { openContext } from '../open.ts'
import { renderTable } from '../table.ts'
import { moment } from '../wording.ts'

/** Every purchase in doubt, of files and of sweeps, with what the registry's list shows of its document. */
export const parked: CommandDefinition = {
  examples: [{ line: 'vigia parked', about: 'What may have been bought, and the purchases that it may be' }],

  async run(context) {
    await using opened = await openContext(context.env)
    const rows = await readParked(opened.sql, most)
    const cells = rows.map((row) => cellsOf(row, opened.settings.timezone))
    context.print({ parked: rows }, () =>
      rows.length > 0
        ? `${renderTable(columns, cells, context.stdout.columns)}\n\n${how}`
        : 'Nothing is parked: the outcome of every purchase is known.',
    )
    return 0
  },
}

const most = 1_000

const how = 'Settle one: vigia resolve --lookup N --adopt ID, --resend (pays), or --drop'

const columns = [
  { title: 'LOOK-UP' },
  { title: 'DOCUMENT' },
  { title: 'OF' },
  { title: 'SENT' },
  { title: 'MAY BE', free: true },
  { title: 'WHY', free: true },
]

const cellsOf = (row: ParkedShown, timezone: string): string[] => [
  String(row.lookup),
  row.document,
  row.batch === null ? (row.name ?? 'a sweep') : `batch ${row.batch} line ${row.line}`,
  moment(row.sentAt, timezone),
  candidatesOf(row) || 'none in the list',
  row.detail ?? '',
]

const candidatesOf = ({ candidates }: ParkedShown): string =>
  candidates
    .filter(({ owner, deleted }) => owner === null && !deleted)
    .map(({ id, dated }) => (dated ? `${id} (${dated})` : id))
    .join(', ')
