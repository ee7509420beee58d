import type { z } from 'zod'
import { formatPurpose } from '../../domain/purpose.ts'
import { terms } from '../../messages/terms.ts'
import type { Operation } from '../../operations/operation.ts'
import { portfolioOperations } from '../../operations/portfolios.ts'
import {
  differencesOf,
  isPaused,
  type PortfolioLine,
  type PortfolioList,
  type PortfolioRunShown,
} from '../../views/portfolio.ts'
import type { CommandGroup } from '../command.ts'
import { counted, localMoment, number, outcomes, priced, renderFacts } from '../lines/texts.ts'
import { operationCommand } from '../operation-command.ts'

const nameArgument = { name: '<name>', about: 'name of the portfolio' }
const fileArgument = { name: '<file>', about: 'a CSV or a workbook (.xlsx) of documents' }

const add = operationCommand(portfolioOperations.add, {
  arguments: [nameArgument, fileArgument],
  flags: ['kind', 'every', 'organization', 'purpose'],
  inputOf: ([name]) => ({ name }),
  examples: {
    'vigia portfolio add fornecedores fornecedores.xlsx --kind analysis --every 30d':
      'Look up each document every 30 days, and list what changed since the last run',
  },

  lines(added, { settings }) {
    const { kind, everySeconds, listed } = added
    const fresh = settings.forKind[kind].freshness > everySeconds * 1_000
    return [
      listedLines(listed),
      portfolioLines(added, settings.timezone),
      'A worker starts the first run within a minute; nothing was spent yet.',
      ...(fresh
        ? [`Answers stay fresh longer than this interval: a run buys only what is older than freshness.${kind}.`]
        : []),
    ].join('\n')
  },
})

const sync = operationCommand(portfolioOperations.sync, {
  arguments: [nameArgument, fileArgument],
  flags: ['dryRun'],
  examples: {
    'vigia portfolio sync fornecedores novos.csv --dry-run': 'Show what would be added and removed',
    'vigia portfolio sync fornecedores novos.csv': 'Replace the list: the next run looks up these documents only',
  },
  lines: (synced) =>
    [
      listedLines(synced),
      renderFacts({ 'This month': monthText(synced.month) }),
      synced.dryRun ? 'Nothing was changed.' : 'Nothing was spent: the next run looks them up.',
    ].join('\n'),
})

const show = operationCommand(portfolioOperations.read, {
  arguments: [nameArgument],
  examples: { 'vigia portfolio show fornecedores': 'Show its last runs, their cost, and the forecast' },
  lines: ({ lastRuns, ...line }, { settings, at, table }) => {
    const runs = table(lastRuns, 'No runs yet: a worker starts the first one.', [
      ['STARTED', ({ started }) => at(started)],
      ['STATE', ({ state }) => state],
      ['BATCH', ({ batch }) => batch, 'right'],
      ['COST', ({ spent, price }) => (spent === null ? '' : priced(spent, price)), 'right'],
      [
        'VERIFIED',
        (run) => (run.state === 'done' ? `${number(run.verified)} of ${number(run.documents)}` : ''),
        'right',
      ],
      ['DIFFERENCES', (run) => run.reason ?? differencesText(run), 'free'],
    ])
    return `${portfolioLines(line, settings.timezone)}\n\n${runs}`
  },
})

/** A command that does one action to a portfolio. */
const steering = (verb: 'pause' | 'resume' | 'remove', done: string, about: string) =>
  operationCommand(portfolioOperations[verb] as Operation<z.ZodObject, z.ZodType<{ name: string }>>, {
    arguments: [nameArgument],
    examples: { [`vigia portfolio ${verb} fornecedores`]: about },
    lines: ({ name }) => `${name} ${done}`,
  })

const pause = steering('pause', 'is paused: no run starts until it is resumed.', 'Start no run until it is resumed')
const resume = steering('resume', 'is resumed.', 'Start a run that became due meanwhile, once')
const remove = steering(
  'remove',
  'is removed. Its batches and reports are kept for their retention.',
  'Delete the list; batches and reports of its runs are kept',
)

const run = operationCommand(portfolioOperations.run, {
  examples: { 'vigia portfolio run fornecedores': 'Make its next run due now' },
  lines: ({ name }) => `The next run of ${name} is due: a worker starts it within a minute.`,
})

const edit = operationCommand(portfolioOperations.edit, {
  examples: {
    'vigia portfolio edit fornecedores --every 7d --kind processes': 'Change its interval and kind',
    'vigia portfolio edit fornecedores --add 12345678909': 'Add a document to its list',
  },
  lines: (line, { settings: { timezone } }) => portfolioLines(line, timezone),
})

/** The portfolios, with their next run and their cost. */
export const portfolios = operationCommand(portfolioOperations.list, {
  examples: { 'vigia portfolios': 'List the portfolios, their next runs, and their cost this month' },
  lines: ({ portfolios: found }, { at, table }) =>
    table(found, 'No portfolios yet: create one with `vigia portfolio add NAME FILE --every 30d`.', [
      ['PORTFOLIO', ({ name }) => name],
      ['KIND', ({ kind }) => kind],
      ['DOCUMENTS', ({ documents }) => number(documents), 'right'],
      ['EVERY', shortInterval, 'right'],
      ['STATE', stateText],
      ['NEXT RUN', ({ state, due }) => (state === 'paused' ? '' : at(due))],
      ['THIS MONTH', ({ month }) => priced(month.spent, month.price), 'right'],
      ['FORECAST', ({ month }) => priced(month.forecast, month.forecastPrice), 'right'],
    ]),
})

/** `vigia portfolio NAME` shows one. It has no options, because those would hide the same options of its subcommands. */
export const portfolio: CommandGroup = {
  alone: { ...show, options: [] },
  commands: [
    { name: 'add', summary: 'create a portfolio from a file', load: async () => add },
    { name: 'sync', summary: 'replace its list; shows what is added and removed', load: async () => sync },
    { name: 'show', summary: 'show its last runs, their cost, and the forecast', load: async () => show },
    { name: 'run', summary: 'make its next run due now', load: async () => run },
    { name: 'edit', summary: 'change its interval, kind or list', load: async () => edit },
    { name: 'pause', summary: 'pause it: no run starts', load: async () => pause },
    { name: 'resume', summary: 'resume a paused portfolio', load: async () => resume },
    { name: 'remove', summary: 'delete its list; batches and reports are kept', load: async () => remove },
  ],
}

const listedLines = (listed: PortfolioList): string => {
  const { documents, added, removed, rejected, rejects } = listed
  const some = ({ count, first }: { count: number; first: string[] }) =>
    `${number(count)}${count > 0 ? `: ${first.join(', ')}${count > first.length ? ', …' : ''}` : ''}`
  return renderFacts({
    Documents: number(documents),
    Added: some(added),
    Removed: some(removed),
    'Rejected rows': rejected > 0 ? `${number(rejected)}: ${outcomes(rejects)}` : null,
  })
}

const portfolioLines = (line: PortfolioLine, timezone: string): string => {
  const { name, kind, documents, month, runs, purpose } = line
  return renderFacts({
    Portfolio: `${name}, ${kind}, ${counted(documents, 'document')}, every ${shortInterval(line)}`,
    Purpose: purpose && formatPurpose(terms.en.legalBases, purpose),
    State: stateText(line),
    'Next run': nextText(line, timezone),
    Runs: number(runs),
    'This month': monthText(month),
  })
}

const monthText = ({ spent, price, forecast, forecastPrice }: PortfolioLine['month']): string =>
  `${priced(spent, price)} spent, ${priced(forecast, forecastPrice)} forecast`

const stateText = ({ state }: PortfolioLine): string => (state === 'pausing' ? 'running, then paused' : state)

const nextText = (line: PortfolioLine, timezone: string): string => {
  if (isPaused(line)) return 'once it is resumed'
  const { due } = line
  return due ? localMoment(due, timezone) : 'when the current run has ended'
}

const shortInterval = ({ everySeconds }: Pick<PortfolioLine, 'everySeconds'>): string => {
  if (everySeconds % 86_400 === 0) return `${everySeconds / 86_400} d`
  return everySeconds % 3_600 === 0 ? `${everySeconds / 3_600} h` : `${Math.round(everySeconds / 60)} min`
}

/** `2 new, 1 worse`. */
const differencesText = (run: PortfolioRunShown): string => {
  const found = differencesOf(run).map(({ verdict, documents }) => `${number(documents)} ${verdict}`)
  return run.state === 'done' ? found.join(', ') || 'none' : ''
}
