import type { Settings } from '../../../config/settings.ts'
import { batchOrRefuse } from '../../batches/batch-or-refuse.ts'
import { priceOf } from '../../domain/amount.ts'
import { type Kind, spendingKinds } from '../../domain/kind.ts'
import { column, perform } from '../../operations/operation.ts'
import { parkedKind, parkedOperations, resolutionIn } from '../../operations/rows.ts'
import type { ParkedShown } from '../../views/parked.ts'
import { askApproval, exitCodeOfApproval } from '../ask.ts'
import { type CommandContext, type CommandDefinition, UsageError } from '../command.ts'
import { renderLookupHistory, renderRowHistory } from '../lines/row.ts'
import { costing } from '../lines/texts.ts'
import { openContext } from '../open.ts'
import { openActing, operationCommand } from '../operation-command.ts'
import { flagOf, integerOption, readBatchId } from '../options.ts'

/** Every purchase with an unknown outcome, with the listed purchases of its document. */
export const parked = operationCommand(parkedOperations.list, {
  flags: [],
  examples: { 'vigia parked': 'List what may have been bought, and the listed purchases that it may be' },
  lines({ parked: rows }, { settings, at, table }) {
    if (rows.length === 0) return 'Nothing is parked: the outcome of every purchase is known.'
    const shown = table(rows, '', [
      ['LOOK-UP', ({ lookup }) => lookup],
      ['DOCUMENT', ({ document }) => document],
      ['NAME', ({ file }) => file?.name],
      ['REF', ({ file }) => file?.ref],
      ['OF', ({ batch, line, name }) => (batch === null ? (name ?? 'a sweep') : `batch ${batch} line ${line}`)],
      ['SENT', ({ sentAt }) => at(sentAt)],
      ['MAY BE', (row) => candidatesOf(row) || 'none listed', 'free'],
      ['WHY', ({ detail }) => detail, 'free'],
    ])
    return `${shown}\n\n${how(settings, [...new Set(rows.map(({ kind }) => kind))])}`
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

/** Each with its id, date, status and owner; one that is owned or deleted cannot be adopted. */
const candidatesOf = ({ candidates }: ParkedShown): string =>
  candidates
    .map(({ id, dated, status, deleted, owner }) => {
      const ownerText = deleted ? 'deleted' : owner === null ? 'no owner' : `of look-up ${owner}`
      return `${id} (${[dated, status, ownerText].filter(Boolean).join(', ')})`
    })
    .join('; ')

type Options = {
  line?: number
  column?: string
  lookup?: number
  adopt?: string
  resend?: boolean
  drop?: boolean
  yes?: boolean
}

/** Settles a purchase with an unknown outcome as a person decides: a row of a batch, or a look-up of a sweep. */
export const resolve: CommandDefinition<Options> = {
  arguments: [{ name: '[id]', about: 'the number of a batch, with --line' }],
  options: [
    integerOption('--line <n>', 'the line of the parked row', 1),
    flagOf('column', column),
    integerOption('--lookup <n>', 'the look-up, as `vigia parked` shows it', 1),
    { flags: '--adopt <remote-id>', about: 'it was bought, with this id at the registry' },
    { flags: '--resend', about: 'it was not bought: send it again and pay for it' },
    { flags: '--yes', about: 'approve the cost of --resend' },
    { flags: '--drop', about: 'cancel the row; its cost stays unknown' },
  ],
  examples: {
    'vigia resolve 12 --line 7 --adopt 9000042': 'Adopt the purchase that the registry lists',
    'vigia resolve --lookup 4711 --resend': 'Send a look-up again that the registry does not list',
  },

  async run(context, [text], { yes, line, column: name, lookup, ...decision }) {
    const isResent = resolutionIn(decision) === 'resend'
    const wanted = readWanted(text, { line, column: name, lookup })
    await using opened = await openContext(context.env)
    await using acting = openActing(opened)
    const { sql, settings } = opened
    const kind =
      'batch' in wanted
        ? (await batchOrRefuse(sql, wanted.batch)).kind
        : await parkedKind(acting.context, wanted.lookup)
    const approval = isResent ? await approvalForResend(context, settings, kind, { line, yes }) : 'yes'
    if (approval !== 'yes') {
      context.print(
        { ...wanted, resolved: false },
        () => `Nothing was sent. To approve it, run \`${resendOf(wanted)}\`.`,
      )
      return exitCodeOfApproval[approval]
    }
    if ('lookup' in wanted) {
      const given = { lookup: String(wanted.lookup), ...decision }
      const history = await perform(parkedOperations.resolveLookup, acting.context, given)
      context.print(history, () => renderLookupHistory(history, settings.timezone))
    } else {
      const given = { ...wanted, batch: String(wanted.batch), ...decision }
      const settled = await perform(parkedOperations.resolveRow, acting.context, given)
      context.print(settled, () => renderRowHistory(settled.row, settings.timezone))
    }
    return 0
  },
}

const resendOf = (wanted: Wanted): string =>
  'lookup' in wanted
    ? `vigia resolve --lookup ${wanted.lookup} --resend --yes`
    : `vigia resolve ${wanted.batch} --line ${wanted.line}${wanted.column === undefined ? '' : ` --column ${JSON.stringify(wanted.column)}`} --resend --yes`

type Wanted = { batch: bigint; line: number; column: string | undefined } | { lookup: bigint }

const readWanted = (text: string | undefined, { line, column: name, lookup }: Options): Wanted => {
  if (lookup !== undefined && text === undefined && line === undefined && name === undefined)
    return { lookup: BigInt(lookup) }
  if (lookup === undefined && text !== undefined && line !== undefined)
    return { batch: readBatchId(text), line, column: name }
  throw new UsageError('expected a batch with --line N, or --lookup N; `vigia parked` lists the parked rows')
}

/** Sending again is paid twice if the first call was charged after all. */
const approvalForResend = async (context: CommandContext, { budget }: Settings, kind: Kind, { line, yes }: Options) => {
  if (!spendingKinds.includes(kind)) return 'yes'
  const cost = costing(1, priceOf(budget.unitPrice, kind, 1))
  if (!context.json)
    context.stderr.write(
      `${line === undefined ? 'It' : `Line ${line}`} would be sent and paid for again: up to ${cost}\n`,
    )
  return askApproval(context, `Spend up to ${cost}?`, yes)
}
