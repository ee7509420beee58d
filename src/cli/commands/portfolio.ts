import { purposeFor } from '../../batches/purpose.ts'
import type { PortfolioKind } from '../../domain/portfolio.ts'
import { portfolioOperations } from '../../operations/portfolios.ts'
import {
  addPortfolio,
  type Listed,
  pauseRuns,
  portfolioOrRefuse,
  removePortfolio,
  resumeRuns,
  syncPortfolio,
} from '../../portfolios/keep-portfolio.ts'
import type { Portfolio } from '../../store/portfolios/portfolios.ts'
import { limits } from '../../views/limits.ts'
import { forecastTerms, listRuns, toPortfolioView } from '../../views/portfolio.ts'
import {
  type PortfolioVerb,
  toAddedPortfolioView,
  toSteeredPortfolioView,
  toSyncedPortfolioView,
} from '../../views/portfolio-answer.ts'
import { type CommandDefinition, type CommandGroup, UsageError } from '../command.ts'
import { whoCalls } from '../context.ts'
import { aboutFile, checkFiles, openLocalFile } from '../files/local-file.ts'
import { listedLines, portfolioLines, runTable } from '../lines/portfolio.ts'
import { type OpenInstallation, openContext } from '../open.ts'
import { operationCommand } from '../operation-command.ts'
import {
  choiceOf,
  chooseOrganization,
  type FileOptions,
  limitOption,
  organizationOption,
  portfolioKindOption,
  purposeOption,
  readOptions,
  timeSpan,
} from '../options.ts'

const nameArgument = { name: '<name>', about: 'name of the portfolio' }
const fileArgument = { name: '<file>', about: 'a CSV or a workbook (.xlsx) of documents' }

const add: CommandDefinition<FileOptions & { kind: PortfolioKind; every?: number }> = {
  arguments: [{ name: '<name>', about: 'name of the portfolio' }, fileArgument],
  options: [
    portfolioKindOption,
    { flags: '--every <span>', about: 'interval between runs, such as 30d (required)', parse: timeSpan('--every') },
    organizationOption,
    purposeOption,
    ...readOptions,
  ],
  examples: [
    {
      line: 'vigia portfolio add fornecedores fornecedores.xlsx --kind analysis --every 30d',
      about: 'Look up each document every 30 days, and list what changed since the last run',
    },
  ],

  async run(context, [given, file], options) {
    const name = given!.trim()
    if (!options.every) throw new UsageError('--every is required: the interval between runs, such as 30d')
    await checkFiles([file!])
    const { kind, every: everyMs } = options
    await using opened = await openContext(context.env)
    const purpose = purposeFor(opened.settings.purpose, options.purpose)
    const { organizationId } = chooseOrganization(opened.settings, options.organization)
    const list = { ...fileOf(file!, options), name, kind, everyMs, organizationId, purpose }
    const listed: Listed = await aboutFile(file!, () => addPortfolio(opened.sql, list, who(opened)))
    const { line } = await read(opened, name)
    const added = toAddedPortfolioView(line, listed)
    const fresh = opened.settings.forKind[kind].freshness > everyMs
    context.print(added, () =>
      [
        listedLines(added.listed),
        portfolioLines(line, opened.settings.timezone),
        'A worker starts the first run within a minute; nothing was spent yet.',
        ...(fresh
          ? [`Answers stay fresh longer than this interval: a run buys only what is older than freshness.${kind}.`]
          : []),
      ].join('\n'),
    )
    return 0
  },
}

const sync: CommandDefinition<FileOptions & { dryRun?: boolean }> = {
  arguments: [nameArgument, fileArgument],
  options: [{ flags: '--dry-run', about: 'show what would be added and removed' }, ...readOptions],
  examples: [
    { line: 'vigia portfolio sync fornecedores novos.csv --dry-run', about: 'Show what would be added and removed' },
    {
      line: 'vigia portfolio sync fornecedores novos.csv',
      about: 'Replace the list: the next run looks up these documents only',
    },
  ],

  async run(context, [name, file], { dryRun, ...options }) {
    await checkFiles([file!])
    await using opened = await openContext(context.env)
    const list = {
      ...fileOf(file!, options as FileOptions),
      name: name!,
      only: dryRun ? ('compare' as const) : undefined,
    }
    const listed: Listed = await aboutFile(file!, () => syncPortfolio(opened.sql, list, who(opened)))
    const { line } = await read(opened, name!)
    const synced = toSyncedPortfolioView(line, { dryRun: dryRun ?? false, listed })
    context.print(synced, () =>
      [
        listedLines(synced),
        portfolioLines(line, opened.settings.timezone),
        dryRun ? 'Nothing was changed.' : 'Nothing was spent: the next run looks them up.',
      ].join('\n'),
    )
    return 0
  },
}

const fileOf = (file: string, options: FileOptions) => ({
  open: () => openLocalFile(file, options),
  choice: choiceOf(options),
})

const who = ({ clock }: OpenInstallation) => ({ by: whoCalls(), now: clock() })

const show: CommandDefinition<{ limit?: number }> = {
  arguments: [nameArgument],
  options: [limitOption(limits.portfolioRuns, 'how many runs to show')],
  examples: [{ line: 'vigia portfolio show fornecedores', about: 'Show its last runs, their cost, and the forecast' }],

  async run(context, [name], { limit = limits.portfolioRuns.usual }) {
    await using opened = await openContext(context.env)
    const { portfolio, line } = await read(opened, name!)
    const { timezone, budget } = opened.settings
    const runs = await listRuns(opened.sql, portfolio, { prices: budget.unitPrice, limit })
    context.print({ ...line, lastRuns: runs }, () =>
      [portfolioLines(line, timezone), runTable(runs, timezone, context.stdout.columns)].join('\n\n'),
    )
    return 0
  },
}

const read = async ({ sql, settings }: OpenInstallation, name: string) => {
  const portfolio = await portfolioOrRefuse(sql, name)
  return { portfolio, line: await toPortfolioView(sql, portfolio, forecastTerms(settings, new Date())) }
}

/** A command that does one action to a portfolio. */
const steering = (
  verb: PortfolioVerb,
  done: string,
  about: string,
  act: (sql: OpenInstallation['sql'], name: string, by: ReturnType<typeof who>) => Promise<Portfolio>,
): CommandDefinition => ({
  arguments: [nameArgument],
  examples: [{ line: `vigia portfolio ${verb} fornecedores`, about }],

  async run(context, [name]) {
    await using opened = await openContext(context.env)
    const kept = await act(opened.sql, name!, who(opened))
    context.print(toSteeredPortfolioView(kept, verb), () => `${kept.name} ${done}`)
    return 0
  },
})

const pause = steering(
  'pause',
  'is paused: no run starts until it is resumed.',
  'Start no run until it is resumed',
  pauseRuns,
)
const resume = steering('resume', 'is resumed.', 'Start a run that became due meanwhile, once', resumeRuns)
const remove = steering(
  'remove',
  'is removed. Its batches and reports are kept for their retention.',
  'Delete the list; batches and reports of its runs are kept',
  removePortfolio,
)

const run = operationCommand(portfolioOperations.run, {
  examples: [{ line: 'vigia portfolio run fornecedores', about: 'Make its next run due now' }],
  lines: ({ name }) => `The next run of ${name} is due: a worker starts it within a minute.`,
})

const edit = operationCommand(portfolioOperations.edit, {
  examples: [
    { line: 'vigia portfolio edit fornecedores --every 7d --kind processes', about: 'Change its interval and kind' },
    { line: 'vigia portfolio edit fornecedores --add 12345678909', about: 'Add a document to its list' },
  ],
  lines: (line, { settings: { timezone } }) => portfolioLines(line, timezone),
})

/** `vigia portfolio NAME` shows one. It has no options, because those would hide the same options of its subcommands. */
export const portfolio: CommandGroup = {
  alone: { ...(show as CommandDefinition), options: [] },
  commands: [
    { name: 'add', summary: 'create a portfolio from a file', load: async () => add as CommandDefinition },
    {
      name: 'sync',
      summary: 'replace its list; shows what is added and removed',
      load: async () => sync as CommandDefinition,
    },
    {
      name: 'show',
      summary: 'show its last runs, their cost, and the forecast',
      load: async () => show as CommandDefinition,
    },
    { name: 'run', summary: 'make its next run due now', load: async () => run },
    { name: 'edit', summary: 'change its interval, kind or list', load: async () => edit },
    { name: 'pause', summary: 'pause it: no run starts', load: async () => pause },
    { name: 'resume', summary: 'resume a paused portfolio', load: async () => resume },
    { name: 'remove', summary: 'delete its list; batches and reports are kept', load: async () => remove },
  ],
}
