import { changedField, changedValue } from '../domain/changed-field.ts'
import type { Verdict } from '../domain/risk-change.ts'
import { type Met, type Severity, severities } from '../domain/rule.ts'
import type { Said } from '../domain/said/said.ts'
import type { Letter, LetterItem, Pen, Told } from './letter.ts'

/** A change as an alert keeps it: its document is masked. */
export type ToldChange = {
  document: string
  name: string | null
  field: string
  verdict: Verdict
  before: string | null
  after: string | null
  rules: Met[]
}

type SweepBody = {
  /** The name of the portfolio whose run it is, and how many look-ups that paid for. */
  portfolio?: string
  spent?: number
  sweep: { slot: string; startedAt: string }
  due: number
  verified: number
  changed: number
  reasons: { said: Said | null; reason: string; documents: number }[]
  told: Partial<Record<Severity, number>>
  worst: ToldChange[]
}

/** What a night found, what people are to look at first, and how much of it was looked at. */
export const sweepLetter = ({ severity, body }: Told, pen: Pen): Letter => {
  const { words, format, most } = pen
  const { sweep, portfolio, spent, due, verified, changed, reasons, told, worst } = body as SweepBody
  const day = format.day(new Date(sweep.startedAt))
  const loudest = severities.toReversed().find((each) => told[each])
  const count = (value: number) => format.count(value)
  const run = `${portfolio ? words.portfolio(portfolio) : words.sweep} ${day}`
  const headline = headlineOf(body as SweepBody, pen, loudest)
  return {
    severity: loudest ?? severity,
    subject: `${headline} – ${run}`,
    title: headline,
    lead: `${run[0]!.toUpperCase()}${run.slice(1)}: ${words.proof(count(verified), count(due), count(changed))}`,
    items: worst.slice(0, most).map((change) => item(change, pen)),
    notes: [
      ...unverified(reasons, due - verified, pen),
      ...(worst.length > most ? [(portfolio ? words.moreDifferences : words.more)(count(most))] : []),
      ...(spent === undefined ? [] : [words.bought(count(spent))]),
    ],
  }
}

/** Who came to a list or left it is no figure that changed, and yet no night on which nothing did. */
const headlineOf = ({ told, changed, worst }: SweepBody, { words, format }: Pen, loudest?: Severity): string => {
  const alerts = loudest && told[loudest]
  if (alerts) return words.alerts(format.count(alerts), words.severities[loudest], alerts === 1)
  if (changed > 0) return words.changes(format.count(changed), changed === 1)
  return worst.length > 0 ? words.listChanged : words.nothing
}

const unverified = (reasons: SweepBody['reasons'], missing: number, { words, format }: Pen): string[] => {
  if (missing <= 0) return []
  const each = reasons.map(
    ({ said, reason, documents }) => `${format.told(said ?? reason)} (${format.count(documents)})`,
  )
  return [`${words.unverified(format.count(missing))} ${each.join('; ')}.`]
}

const item = (change: ToldChange, { words, terms, format }: Pen): LetterItem => {
  const value = (text: string | null) => (text === null ? null : changedValue(format, change.field, text))
  return {
    name: format.text(change.name ?? ''),
    document: change.document,
    what: changedField(terms.classifications, words.fields, change.field),
    verdict: terms.verdicts[change.verdict],
    tone: toneOf(change.verdict),
    before: value(change.before),
    after: value(change.after),
    rules: change.rules.map(({ rule, severity }) => ({ name: rule, severity })),
  }
}

const toneOf = (verdict: Verdict): LetterItem['tone'] => {
  if (verdict === 'new' || verdict === 'worse') return 'bad'
  return verdict === 'better' || verdict === 'cleared' ? 'good' : 'warn'
}
