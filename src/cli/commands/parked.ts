import type { Settings } from '../../../config/settings.ts'
import { priceOf } from '../../domain/amount.ts'
import type { Kind } from '../../domain/kind.ts'
import { parkedOperations } from '../../operations/parked.ts'
import type { ParkedShown } from '../../views/parked.ts'
import { costing, localMoment } from '../lines/phrases.ts'
import { renderTable } from '../lines/table.ts'
import { operationCommand } from '../operation-command.ts'

/** Every purchase with an unknown outcome, with the listed purchases of its document. */
export const parked = operationCommand(parkedOperations.list, {
  flags: [],
  examples: [
    { line: 'vigia parked', about: 'List what may have been bought, and the listed purchases that it may be' },
  ],

  lines({ parked: rows }, { settings, width }) {
    if (rows.length === 0) return 'Nothing is parked: the outcome of every purchase is known.'
    const cells = rows.map((row) => cellsOf(row, settings.timezone))
    return `${renderTable(columns, cells, width)}\n\n${how(settings, [...new Set(rows.map(({ kind }) => kind))])}`
  },
})

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
