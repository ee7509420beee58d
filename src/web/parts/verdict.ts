import { type Exposure, exposureOf } from '../../domain/exposure.ts'
import type { Kind } from '../../domain/kind.ts'
import { type AnswerRow, searchedFigures } from '../../views/answer.ts'
import { type Html, html } from '../../writing/html.ts'
import type { Visit } from '../visit.ts'

/** What an answer about lawsuits says, in one sentence; null for other kinds. */
export const verdictLine = (visit: Visit, answer: AnswerRow, kind: Kind): Html | null => {
  if (kind === 'analysis' && answer.counts) return sentence(riskVerdict(visit, exposureOf(searchedFigures(answer))))
  if (kind === 'processes' && answer.total !== null) return sentence(countVerdict(visit, answer.total))
  return null
}

type Verdict = { text: string; tone: 'good' | 'warn' | 'bad' | '' }

const sentence = ({ text, tone }: Verdict): Html => html`<p class="verdict ${tone}">${text}</p>`

const countVerdict = ({ labels, format }: Visit, total: number): Verdict =>
  total === 0
    ? { text: labels.verdict.clear, tone: 'good' }
    : { text: labels.verdict.counted(format.count(total), total !== 1), tone: '' }

const riskVerdict = (visit: Visit, exposure: Exposure): Verdict => {
  const { labels, format } = visit
  const { level, lawsuits } = exposure
  if (level === 'risk') return { text: atRisk(visit, exposure), tone: 'bad' }
  if (level === 'clear') return { text: labels.verdict.clear, tone: 'good' }
  if (level === 'lawsuits') return { text: labels.verdict.lawsuits(format.count(lawsuits), lawsuits !== 1), tone: '' }
  return { text: labels.verdict.unclear, tone: 'warn' }
}

/** `3 lawsuits with risk, 1 protest, R$1.2M` */
const atRisk = ({ labels, format }: Visit, { lawsuits, protests, cents }: Exposure): string =>
  [
    lawsuits > 0 && labels.verdict.risk(format.count(lawsuits), lawsuits !== 1),
    protests > 0 && labels.verdict.protests(format.count(protests), protests !== 1),
    cents !== null && cents > 0n && format.roundCents(cents),
  ]
    .filter(Boolean)
    .join(', ')
