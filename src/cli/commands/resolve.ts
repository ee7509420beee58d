import type { Settings } from '../../../config/settings.ts'
import { type Resolution, resolveRow } from '../../batches/resolve.ts'
import { readRowStory } from '../../batches/row-story.ts'
import { spendingKinds } from '../../domain/kind.ts'
import { localDay } from '../../domain/local-time.ts'
import { priceOf } from '../../domain/price.ts'
import { maskLine } from '../../log/mask.ts'
import type { Batch } from '../../store/batches.ts'
import { exitCodeOfWord, wordOn } from '../ask.ts'
import { readBatchId } from '../batch-options.ts'
import type { CommandDefinition } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { listedPurchases } from '../listed-purchases.ts'
import { openContext } from '../open.ts'
import { wholeNumber } from '../parse-option.ts'
import { renderRowStory } from '../row-story-lines.ts'
import { openSteering } from '../steering.ts'
import { UsageError } from '../usage-error.ts'
import { costing } from '../wording.ts'

type Options = { line?: number; adopt?: string; resend?: boolean; drop?: boolean; yes?: boolean }

/** Settles a parked row by a person's word. */
export const resolve: CommandDefinition<Options> = {
  arguments: [{ name: '<id>', about: 'the number of a batch' }],
  options: [
    { flags: '--line <n>', about: 'the line of the parked row', parse: wholeNumber('--line', 1) },
    { flags: '--adopt <remote-id>', about: 'it was bought: this is its id at the registry' },
    { flags: '--resend', about: 'it was not bought: send it again, and pay for it' },
    { flags: '--yes', about: 'pay for --resend without asking' },
    { flags: '--drop', about: 'let it go: the row ends as cancelled' },
  ],
  examples: [
    { line: 'vigia resolve 12 --line 7 --adopt 9000042', about: 'The registry shows this purchase' },
    { line: 'vigia resolve 12 --line 7 --resend', about: 'The registry shows none' },
  ],

  async run(context, [text], options) {
    const id = readBatchId(text!)
    const word = readWord(options)
    if (options.line === undefined)
      throw new UsageError('--line says which row; `vigia batch ID` counts the parked ones')
    await using opened = await openContext(context.env)
    await using steer = await openSteering(opened, id)
    const said = word === 'resend' ? await wordForResend(context, opened.settings, steer.batch, options) : 'yes'
    if (said !== 'yes') {
      const again = `vigia resolve ${id} --line ${options.line} --resend --yes`
      context.print({ batch: id, line: options.line, resolved: false }, () => `Nothing was sent. \`${again}\` does it.`)
      return exitCodeOfWord[said]
    }
    const today = (moment: Date) => localDay(moment, opened.settings.timezone)
    await resolveRow(opened.sql, id, options.line, word, {
      ...steer.steering,
      today,
      purchases: listedPurchases(opened),
    })
    const story = await readRowStory(opened.sql, id, options.line, maskLine)
    context.print(story, () => renderRowStory(story, opened.settings.timezone))
    return 0
  },
}

/** Sending again buys once more, if a person was wrong about the first time. */
async function wordForResend(context: CommandContext, { budget }: Settings, { kind }: Batch, { line, yes }: Options) {
  if (!spendingKinds.includes(kind)) return 'yes'
  const cost = costing(1, priceOf(budget.unitPrice, kind, 1))
  if (!context.json) context.stderr.write(`Line ${line} would be sent and paid for again: up to ${cost}\n`)
  return wordOn(context, `Spend up to ${cost}?`, yes)
}

function readWord({ adopt, resend, drop }: Options): Resolution {
  const words: Resolution[] = []
  if (adopt !== undefined) words.push({ adopt })
  if (resend) words.push('resend')
  if (drop) words.push('drop')
  const [word] = words
  if (word && words.length === 1) return word
  throw new UsageError('say one of --adopt REMOTE_ID, --resend or --drop')
}
