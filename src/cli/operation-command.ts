import type { z } from 'zod'
import type { Settings } from '../../config/settings.ts'
import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import type { ListedPurchases } from '../batches/resolve.ts'
import type { Account } from '../domain/lookup.ts'
import { quoteSweep } from '../monitoring/preview-sweep.ts'
import { addressFields, type Context, type Operation, perform } from '../operations/operation.ts'
import { type Boss, openSender } from '../queue/boss.ts'
import { exportQueue } from '../queue/queues.ts'
import { createQueues, enqueue } from '../queue/start-jobs.ts'
import type { Registry } from '../registry/create-registry.ts'
import { toSweepQuoteView } from '../views/sweep.ts'
import { type CommandContext, type CommandDefinition, whoCalls } from './command.ts'
import { aboutFile, checkFiles, localFile } from './files/local-file.ts'
import { type Column, localMoment, renderTable } from './lines/texts.ts'
import { type OpenInstallation, openContext, withRegistry } from './open.ts'
import { flagNamed, flagOf, organizationsOf, readOptions } from './options.ts'

/** What a command adds to an operation: its examples, and how the answer looks on a terminal. */
type Face<Input, Output> = Pick<CommandDefinition, 'arguments' | 'examples'> & {
  /** The fields that are flags, if not all of them. */
  flags?: readonly (keyof Input & string)[]
  /** Flags that only change how it looks. */
  options?: CommandDefinition['options']
  /** The input, if the arguments are not the fields of the address. */
  inputOf?(args: string[]): Record<string, unknown>
  lines(answer: Output, shown: Shown): string
}

type Shown = {
  settings: Settings
  stdout: CommandContext['stdout']
  options: Record<string, unknown>
  /** A moment in the operator's timezone. */
  at(moment: string | null): string
  /** A table as wide as the terminal; `none` where there are no rows. */
  table<Row>(rows: readonly Row[], none: string, columns: readonly Column<Row>[]): string
}

/**
 * The command of an operation. The fields of its address are the arguments, unless others are given; all others are flags.
 * Where it takes a file, the last argument is its path.
 */
export const operationCommand = <Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  { arguments: given, flags, options: ofFace = [], examples, inputOf, lines }: Face<z.output<Input>, z.output<Output>>,
): CommandDefinition => {
  const named = addressFields(operation)
  const shape: Record<string, z.ZodType> = operation.input.shape
  const asked = flags ?? Object.keys(shape).filter((name) => !named.includes(name))
  return {
    arguments: given ?? named.map((name) => ({ name: `<${name}>`, about: shape[name]?.description ?? '' })),
    options: [...asked.map((name) => flagOf(name, shape[name])), ...(shape.file ? readOptions : []), ...ofFace],
    examples,

    async run(context, args, options) {
      const path = shape.file ? args.at(-1)! : ''
      if (shape.file) await checkFiles([path])
      await using opened = await openContext(context.env)
      await using acting = openActing(opened)
      const input = inputOf?.(args) ?? Object.fromEntries(named.map((name, at) => [name, args[at]]))
      const chosen = Object.fromEntries(asked.map((name) => [name, options[name]]))
      const given = { ...chosen, ...input, ...(shape.file && localFile(path, options)) }
      const acted = { ...acting.context, unmasked: options.unmasked === true }
      const answer = await aboutFile(path, () => perform(operation, acted, given, flagNamed))
      context.print(answer, () => lines(answer, shownOn(context, opened.settings, options)))
      return 0
    },
  }
}

const shownOn = ({ stdout }: CommandContext, settings: Settings, options: Record<string, unknown> = {}): Shown => ({
  ...{ settings, stdout, options },
  at: (moment) => localMoment(moment, settings.timezone),
  table: (rows, none, columns) => (rows.length > 0 ? renderTable(rows, columns, stdout.columns) : none),
})

/** Opens the queues for a command that only enqueues jobs. */
export const openQueues = async ({ databaseUrl, log }: OpenInstallation): Promise<AsyncDisposable & { boss: Boss }> => {
  const sender = await openSender(databaseUrl, log)
  await createQueues(sender.boss, lookupJobs, batchJobs)
  return sender
}

/** What an operation works with on the command line; queues and registry are opened only if it needs them. */
export const openActing = (opened: OpenInstallation): AsyncDisposable & { context: Context } => {
  const stack = new AsyncDisposableStack()
  let opening: Promise<AsyncDisposable & { boss: Boss }> | undefined
  stack.defer(async () => (await opening)?.[Symbol.asyncDispose]())
  const { sql, clock, settings, home } = opened
  const queues = async (): Promise<Boss> => {
    opening ??= openQueues(opened)
    return (await opening).boss
  }
  const context: Context = {
    ...{ sql, clock, settings, home, queues, accounts: organizationsOf(settings) },
    by: whoCalls(),
    role: 'admin',
    purchases: (lane, document) =>
      withRegistry(opened, ({ registry, accounts }) => purchasesAt(registry, accounts)(lane, document)),
    // Only this sweep buys anything.
    quoteSweep: async (name) =>
      name === 'radars'
        ? await withRegistry(opened, (open) => quoteSweep({ sql, settings, clock, ...open }, name))
        : toSweepQuoteView(name, [], settings.budget),
    async finished(tx, batchIds) {
      if (batchIds.length === 0) return
      for (const batchId of batchIds) await enqueue(await queues(), exportQueue, { batchId: String(batchId) }, tx)
    },
    wake: () => {},
  }
  return { context, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** The purchases of a document that the registry lists. (Interface 4.3, 4.6) */
export const purchasesAt =
  (registry: Registry, accounts: readonly Account[]): ListedPurchases =>
  async ({ organizationId, kind }, document) => {
    const account = accounts.find((each) => each.organizationId === organizationId)
    if (!account) return []
    if (kind === 'cnh') {
      const latest = await registry.cnh.latest(document, account)
      return latest ? [{ id: latest.requestId, key: null }] : []
    }
    const { analyses } = await registry.activities.list(account)
    return analyses
      .filter((analysis) => analysis.document === document.number)
      .map(({ id, uniqueId }) => ({ id, key: uniqueId }))
  }
