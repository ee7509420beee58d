import type { Settings } from '../../../config/settings.ts'
import { readParked } from '../../batches/parked.ts'
import { priceOf } from '../../domain/amount.ts'
import type { Kind } from '../../domain/kind.ts'
import { limits } from '../../views/limits.ts'
import type { ParkedShown } from '../../views/parked.ts'
import type { CommandDefinition } from '../command.ts'
import { costing, localMoment } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { openContext } from '../open.ts'

/** Every purchase with an unknown outcome, with the listed purchases of its document. */
export const parked: CommandDefinition = {
  examples: [
    { line: 'vigia parked', about: 'List what may have been bought, and the listed purchases that it may be' },
  ],

  async run(context) {
    await using opened = await openContext(context.env)
    const rows = await readParked(opened.sql, limits.parked.usual)
    const cells = rows.map((row) => cellsOf(row, opened.settings.timezone))
    context.print({ parked: rows }, () =>
      rows.length > 0
        ? `${renderTable(columns, cells, context.stdout.columns)}\n\n${how(opened.settings, [...new Set(rows.map(({ kind }) => kind))])}`
        : 'Nothing is parked: the outcome of every purchase is known.',
    )
    return 0
  },
}

/** The cost of each choice, beyond what was reserved when the call was sent. */
const how = ({ budget }: Settings, kinds: Kind[]): string => {
  const costs = kinds.map((kind) => ({ kind, cost: costing(1, priceOf(budget.unitPrice, kind, 1)) }))
  const differ = new Set(costs.map(({ cost }) => cost)).size > 1
  const again = differ ? costs.map(({ kind, cost }) => `${cost} (${kind})`).join(' or ') : costs[0]!.cost
  return [
    'Settle one: `vigia resolve --lookup N` with',
    '  --adopt ID  it was bought, and this is its id: costs nothing more',
    `  --resend    it was not bought: costs ${again} more, and is paid twice if it was bought`,
    '  --drop      cancel the row: costs nothing more, the outcome stays unknown',
  ].join('\n')
}

const columns = [
  { title: 'LOOK-UP' },
  { title: 'DOCUMENT' },
  { title: 'NAME' },
  { title: 'REF' },
  { title: 'OF' },
  { title: 'SENT' },
  { title: 'MAY BE', free: true },
  { title: 'WHY', free: true },
]

const cellsOf = (row: ParkedShown, timezone: string): string[] => [
  String(row.lookup),
  row.document,
  row.file?.name ?? '',
  row.file?.ref ?? '',
  row.batch === null ? (row.name ?? 'a sweep') : `batch ${row.batch} line ${row.line}`,
  localMoment(row.sentAt, timezone),
  candidatesOf(row) || 'none listed',
  row.detail ?? '',
]

/** Each with its id, date, status and owner; one that is owned or deleted cannot be adopted. */
const candidatesOf = ({ candidates }: ParkedShown): string =>
  candidates
    .map(({ id, dated, status, deleted, owner }) => {
      const ownerText = deleted ? 'deleted' : owner === null ? 'no owner' : `of look-up ${owner}`
      return `${id} (${[dated, status, ownerText].filter(Boolean).join(', ')})`
    })
    .join('; ')
