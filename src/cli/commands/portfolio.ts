import type { PortfolioKind } from '../../domain/portfolio.ts'
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
import {
  choiceOf,
  chooseOrganization,
  type FileOptions,
  limitOption,
  organizationOption,
  portfolioKindOption,
  readOptions,
  timeSpan,
} from '../options.ts'

const nameArgument = { name: '<name>', about: 'the portfolio' }
const fileArgument = { name: '<file>', about: 'a CSV or a workbook (.xlsx) of documents' }

const add: CommandDefinition<FileOptions & { kind: PortfolioKind; every?: number }> = {
  arguments: [{ name: '<name>', about: 'how people call it' }, fileArgument],
  options: [
    portfolioKindOption,
    {
      flags: '--every <span>',
      about: 'how long after a run the next one begins, such as 30d',
      parse: timeSpan('--every'),
    },
    organizationOption,
    ...readOptions,
  ],
  examples: [
    {
      line: 'vigia portfolio add fornecedores fornecedores.xlsx --kind analysis --every 30d',
      about: 'Every 30 days an analysis of each, and what differs from the time before',
    },
  ],

  async run(context, [given, file], options) {
    const name = given!.trim()
    if (!options.every) throw new UsageError('--every says how long after a run the next one begins, such as 30d')
    await checkFiles([file!])
    const { kind, every: everyMs } = options
    await using opened = await openContext(context.env)
    const { organizationId } = chooseOrganization(opened.settings, options.organization)
    const list = { ...fileOf(file!, options), name, kind, everyMs, organizationId }
    const listed: Listed = await aboutFile(file!, () => addPortfolio(opened.sql, list, who()))
    const { line } = await read(opened, name)
    const added = toAddedPortfolioView(line, listed)
    const fresh = opened.settings.forKind[kind].freshness > everyMs
    context.print(added, () =>
      [
        listedLines(added.listed),
        portfolioLines(line, opened.settings.timezone),
        'The first run begins within a minute of a worker; nothing was spent yet.',
        ...(fresh
          ? [`Answers are fresh for longer than that: a run buys only what is older than freshness.${kind}.`]
          : []),
      ].join('\n'),
    )
    return 0
  },
}

const sync: CommandDefinition<FileOptions & { dryRun?: boolean }> = {
  arguments: [nameArgument, fileArgument],
  options: [{ flags: '--dry-run', about: 'say who would come and go, and change nothing' }, ...readOptions],
  examples: [
    { line: 'vigia portfolio sync fornecedores novos.csv --dry-run', about: 'Who would come in and who would go' },
    { line: 'vigia portfolio sync fornecedores novos.csv', about: 'The next run asks about these, and no others' },
  ],

  async run(context, [name, file], { dryRun, ...options }) {
    await checkFiles([file!])
    await using opened = await openContext(context.env)
    const list = { ...fileOf(file!, options as FileOptions), name: name!, only: dryRun ? ('tell' as const) : undefined }
    const listed: Listed = await aboutFile(file!, () => syncPortfolio(opened.sql, list, who()))
    const { line } = await read(opened, name!)
    const synced = toSyncedPortfolioView(line, { dryRun: dryRun ?? false, listed })
    context.print(synced, () =>
      [
        listedLines(synced),
        portfolioLines(line, opened.settings.timezone),
        dryRun ? 'Nothing was changed.' : 'Nothing was spent: the next run asks about them.',
      ].join('\n'),
    )
    return 0
  },
}

const fileOf = (file: string, options: FileOptions) => ({ open: () => openLocalFile(file), choice: choiceOf(options) })

const who = () => ({ by: whoCalls(), now: new Date() })

const show: CommandDefinition<{ limit?: number }> = {
  arguments: [nameArgument],
  options: [limitOption(limits.portfolioRuns, 'how many runs')],
  examples: [
    { line: 'vigia portfolio show fornecedores', about: 'Its last runs, what they cost, and what the month comes to' },
  ],

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

/** A command that does one thing to a portfolio. */
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
    const kept = await act(opened.sql, name!, who())
    context.print(toSteeredPortfolioView(kept, verb), () => `${kept.name} ${done}`)
    return 0
  },
})

const pause = steering(
  'pause',
  'is paused: no run begins until it is resumed.',
  'No run begins until it is resumed',
  pauseRuns,
)
const resume = steering('resume', 'goes on.', 'A run that fell due meanwhile begins now, once', resumeRuns)
const remove = steering(
  'remove',
  'is removed. Its batches and reports stay for as long as those are kept.',
  'The list goes; batches and reports of its runs stay',
  removePortfolio,
)

/** One list of documents that repeats; by itself with a name it shows that one. An option of its own would hide theirs. */
export const portfolio: CommandGroup = {
  alone: { ...(show as CommandDefinition), options: [] },
  commands: [
    { name: 'add', summary: 'make one of a file', load: async () => add as CommandDefinition },
    {
      name: 'sync',
      summary: 'give it another list; tells who comes and goes',
      load: async () => sync as CommandDefinition,
    },
    {
      name: 'show',
      summary: 'its last runs, cost, and forecast of the month',
      load: async () => show as CommandDefinition,
    },
    { name: 'pause', summary: 'begin no run for now', load: async () => pause },
    { name: 'resume', summary: 'let a paused one go on', load: async () => resume },
    { name: 'remove', summary: 'forget the list', load: async () => remove },
  ],
}
