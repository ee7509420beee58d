import { listPortfolios } from '../../store/portfolios/portfolios.ts'
import { forecastTerms, type PortfolioLine, toPortfolioView } from '../../views/portfolio.ts'
import type { CommandDefinition } from '../command.ts'
import { localMoment, number, priced } from '../lines/phrases.ts'
import { shortInterval, stateText } from '../lines/portfolio.ts'
import { renderTable } from '../lines/table.ts'
import { openContext } from '../open.ts'

/** The portfolios, with their next run and their cost. */
export const portfolios: CommandDefinition = {
  examples: [{ line: 'vigia portfolios', about: 'List the portfolios, their next runs, and their cost this month' }],

  async run(context) {
    await using opened = await openContext(context.env)
    const { sql, settings } = opened
    const terms = forecastTerms(settings, new Date())
    const found = await Promise.all((await listPortfolios(sql)).map((each) => toPortfolioView(sql, each, terms)))
    const cells = found.map((line) => cellsOf(line, settings.timezone))
    context.print({ portfolios: found }, () =>
      cells.length > 0
        ? renderTable(columns, cells, context.stdout.columns)
        : 'No portfolios yet: create one with `vigia portfolio add NAME FILE --every 30d`.',
    )
    return 0
  },
}

const columns = [
  { title: 'PORTFOLIO' },
  { title: 'KIND' },
  { title: 'DOCUMENTS', align: 'right' },
  { title: 'EVERY', align: 'right' },
  { title: 'STATE' },
  { title: 'NEXT RUN' },
  { title: 'THIS MONTH', align: 'right' },
  { title: 'FORECAST', align: 'right' },
] as const

const cellsOf = (line: PortfolioLine, timezone: string): string[] => [
  line.name,
  line.kind,
  number(line.documents),
  shortInterval(line),
  stateText(line),
  line.state === 'paused' ? '' : localMoment(line.due, timezone),
  priced(line.month.spent, line.month.price),
  priced(line.month.forecast, line.month.forecastPrice),
]
