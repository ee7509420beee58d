import type { Settings } from '../../../config/settings.ts'
import { BatchRefusal, batchOrRefuse } from '../../batches/batch-or-refuse.ts'
import { type Resolution, resolveLookup, resolveRow } from '../../batches/resolve.ts'
import { readLookupHistory } from '../../batches/row-history.ts'
import { readSettledRow } from '../../batches/settled-row.ts'
import { priceOf } from '../../domain/amount.ts'
import { localDay } from '../../domain/calendar.ts'
import { type Kind, spendingKinds } from '../../domain/kind.ts'
import { maskLine } from '../../log/mask.ts'
import type { Database } from '../../store/connect.ts'
import { readParkedLookup } from '../../store/lookups/parked-rows.ts'
import { toSettledByCommandView } from '../../views/settled-row.ts'
import { askApproval, exitCodeOfApproval } from '../ask.ts'
import type { CommandDefinition } from '../command.ts'
import { UsageError } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { costing } from '../lines/phrases.ts'
import { renderLookupHistory, renderRowHistory } from '../lines/row.ts'
import { listedPurchases } from '../listed-purchases.ts'
import { openContext } from '../open.ts'
import { openSteeringOf } from '../open-queues.ts'
import { integerOption, readBatchId } from '../options.ts'

type Options = {
  line?: number
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
    { flags: '--line <n>', about: 'the line of the parked row', parse: integerOption('--line', 1) },
    { flags: '--lookup <n>', about: 'the look-up, as `vigia parked` shows it', parse: integerOption('--lookup', 1) },
    { flags: '--adopt <remote-id>', about: 'it was bought, with this id at the registry' },
    { flags: '--resend', about: 'it was not bought: send it again and pay for it' },
    { flags: '--yes', about: 'approve the cost of --resend' },
    { flags: '--drop', about: 'cancel the row; its cost stays unknown' },
  ],
  examples: [
    { line: 'vigia resolve 12 --line 7 --adopt 9000042', about: 'Adopt the purchase that the registry lists' },
    { line: 'vigia resolve --lookup 4711 --resend', about: 'Send a look-up again that the registry does not list' },
  ],

  async run(context, [text], options) {
    const resolution = readResolution(options)
    const wanted = readWanted(text, options)
    await using opened = await openContext(context.env)
    const { sql, settings } = opened
    const kind = await kindOf(sql, wanted)
    const approval = resolution === 'resend' ? await approvalForResend(context, settings, kind, options) : 'yes'
    if (approval !== 'yes') {
      context.print(
        { ...wanted, resolved: false },
        () => `Nothing was sent. To approve it, run \`${resendOf(wanted)}\`.`,
      )
      return exitCodeOfApproval[approval]
    }
    await using steer = await openSteeringOf(opened, kind)
    const today = (moment: Date) => localDay(moment, settings.timezone)
    const resolving = { ...steer.steering, today, purchases: listedPurchases(opened) }
    if ('lookup' in wanted) {
      await resolveLookup(sql, wanted.lookup, resolution, resolving)
      const history = await readLookupHistory(sql, wanted.lookup, maskLine)
      context.print(history, () => renderLookupHistory(history, settings.timezone))
    } else {
      await resolveRow(sql, wanted.batch, wanted.line, resolution, resolving)
      const terms = { now: new Date(), prices: settings.budget.unitPrice, mask: maskLine }
      const settled = await readSettledRow(sql, wanted, terms)
      context.print(toSettledByCommandView(settled), () => renderRowHistory(settled.row, settings.timezone))
    }
    return 0
  },
}

const resendOf = (wanted: Wanted): string =>
  'lookup' in wanted
    ? `vigia resolve --lookup ${wanted.lookup} --resend --yes`
    : `vigia resolve ${wanted.batch} --line ${wanted.line} --resend --yes`

type Wanted = { batch: bigint; line: number } | { lookup: bigint }

const readWanted = (text: string | undefined, { line, lookup }: Options): Wanted => {
  if (lookup !== undefined && text === undefined && line === undefined) return { lookup: BigInt(lookup) }
  if (lookup === undefined && text !== undefined && line !== undefined) return { batch: readBatchId(text), line }
  throw new UsageError('expected a batch with --line N, or --lookup N; `vigia parked` lists the parked rows')
}

const kindOf = async (sql: Database, wanted: Wanted): Promise<Kind> => {
  if ('batch' in wanted) return (await batchOrRefuse(sql, wanted.batch)).kind
  const found = await readParkedLookup(sql, wanted.lookup)
  if (!found) throw new BatchRefusal(['no_lookup', wanted.lookup])
  return found.kind
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

const readResolution = ({ adopt, resend, drop }: Options): Resolution => {
  const resolutions: Resolution[] = []
  if (adopt !== undefined) resolutions.push({ adopt })
  if (resend) resolutions.push('resend')
  if (drop) resolutions.push('drop')
  const [resolution] = resolutions
  if (resolution && resolutions.length === 1) return resolution
  throw new UsageError('expected one of --adopt REMOTE_ID, --resend or --drop')
}
