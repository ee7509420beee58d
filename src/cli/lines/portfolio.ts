import { formatPurpose } from '../../domain/purpose.ts'
import { enTerms } from '../../messages/en/terms.ts'
import {
  differencesOf,
  isPaused,
  type PortfolioLine,
  type PortfolioList,
  type PortfolioRunShown,
} from '../../views/portfolio.ts'
import { counted, localMoment, number, outcomes, priced, renderFacts } from './texts.ts'

export const listedLines = (listed: PortfolioList): string => {
  const { documents, added, removed, rejected, rejects } = listed
  const some = ({ count, first }: { count: number; first: string[] }) =>
    `${number(count)}${count > 0 ? `: ${first.join(', ')}${count > first.length ? ', …' : ''}` : ''}`
  return renderFacts([
    ['Documents', number(documents)],
    ['Added', some(added)],
    ['Removed', some(removed)],
    ['Rejected rows', rejected > 0 ? `${number(rejected)}: ${outcomes(rejects)}` : null],
  ])
}

export const portfolioLines = (line: PortfolioLine, timezone: string): string => {
  const { name, kind, documents, month, runs, purpose } = line
  return renderFacts([
    ['Portfolio', `${name}, ${kind}, ${counted(documents, 'document')}, every ${shortInterval(line)}`],
    ['Purpose', purpose && formatPurpose(enTerms.legalBases, purpose)],
    ['State', stateText(line)],
    ['Next run', nextText(line, timezone)],
    ['Runs', number(runs)],
    [
      'This month',
      `${priced(month.spent, month.price)} spent, ${priced(month.forecast, month.forecastPrice)} forecast`,
    ],
  ])
}

export const stateText = ({ state }: PortfolioLine): string => (state === 'pausing' ? 'running, then paused' : state)

const nextText = (line: PortfolioLine, timezone: string): string => {
  if (isPaused(line)) return 'once it is resumed'
  const { due } = line
  return due ? localMoment(due, timezone) : 'when the current run has ended'
}

export const shortInterval = ({ everySeconds }: Pick<PortfolioLine, 'everySeconds'>): string => {
  if (everySeconds % 86_400 === 0) return `${everySeconds / 86_400} d`
  return everySeconds % 3_600 === 0 ? `${everySeconds / 3_600} h` : `${Math.round(everySeconds / 60)} min`
}

/** `2 new, 1 worse`. */
export const differencesText = (run: PortfolioRunShown): string => {
  const found = differencesOf(run).map(({ verdict, documents }) => `${number(documents)} ${verdict}`)
  return run.state === 'done' ? found.join(', ') || 'none' : ''
}
