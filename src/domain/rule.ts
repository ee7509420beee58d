import type { Classification } from './classifications.ts'
import type { Verdict } from './risk-change.ts'

export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]

/** Whether a severity is at least the one that a recipient asked for. */
export const reaches = (severity: Severity, from: Severity): boolean =>
  severities.indexOf(severity) >= severities.indexOf(from)

/** What can be counted: the lawsuits of a class, and the total number of lawsuits of a sweep. */
export type Counted = Classification | 'processes'

/** A rule of the settings: what people want to be notified of. Each of several classes is watched separately. */
export type Rule = { name: string; severity: Severity; quietMs: number; portfolio?: string } & (
  | { when: 'value_grows'; classes: readonly Classification[]; moreThanCents: number }
  | { when: 'count_grows'; classes: readonly Counted[]; by: number }
  | { when: 'appears'; classes: readonly Counted[] }
  | { when: 'radar_removed' }
)

/** A change as a rule sees it. */
export type Seen = {
  organizationId: bigint
  document: string
  field: string
  verdict: Verdict
  before: string | null
  after: string | null
  /** The portfolio whose run found it; null for a radar sweep. */
  portfolio?: string | null
}

/** A rule that a change met; `notified` is false if people were notified recently and it is no worse. */
export type Met = { rule: string; severity: Severity; notified: boolean }

/** The last level of a figure that people were notified of or snoozed: up to this level it is not reported for a while. */
type Known = { at: Date; level: bigint; untilMs: number }

/** `notified` by rule and figure, `snoozed` by figure. */
export type Memory = { notified: Map<string, Known>; snoozed: Map<string, Known[]> }

export const emptyMemory = (): Memory => ({ notified: new Map(), snoozed: new Map() })

/**
 * Decides which rules a change met on a night and whether it is reported, and remembers what was reported for the nights
 * after.
 *
 * Both live nights and the back-test use this function, so that their results agree.
 */
export const judgeChange = (rules: readonly Rule[], change: Seen, night: Date, memory: Memory): Met[] =>
  rules
    .filter((rule) => isMet(rule, change))
    .map((rule) => {
      const { name, severity } = rule
      const notified = !isKnown(rule, change, night, memory)
      if (notified) remember(memory, rule, change, night)
      return { rule: name, severity, notified }
    })

const isMet = (rule: Rule, { field, verdict, before, after, portfolio }: Seen): boolean => {
  if (rule.portfolio !== undefined && rule.portfolio.toLowerCase() !== portfolio?.toLowerCase()) return false
  // A first snapshot has nothing to be compared with.
  if (verdict === 'added') return false
  if (rule.when === 'radar_removed') return field === 'radar' && verdict === 'removed'
  if (rule.when === 'value_grows') {
    const watched = rule.classes.some((name) => field === `${name}_value`)
    return watched && levelOf(after) - levelOf(before) > BigInt(rule.moreThanCents)
  }
  if (!rule.classes.some((name) => field === (name === 'processes' ? name : `${name}_count`))) return false
  return rule.when === 'appears'
    ? levelOf(before) <= 0n && levelOf(after) > 0n
    : levelOf(after) - levelOf(before) >= BigInt(rule.by)
}

const isKnown = (rule: Rule, change: Seen, night: Date, { notified, snoozed }: Memory): boolean => {
  const last = notified.get(ruleFigure(rule.name, change))
  const snoozes = snoozed.get(figureKey(change)) ?? []
  return (last !== undefined && covers(last, change, night)) || snoozes.some((snooze) => covers(snooze, change, night))
}

const covers = ({ at, level, untilMs }: Known, { after }: Seen, night: Date): boolean =>
  night > at && night.getTime() < untilMs && levelOf(after) <= level

const remember = ({ notified }: Memory, rule: Rule, change: Seen, night: Date): void => {
  notified.set(ruleFigure(rule.name, change), knownSince(night, levelOf(change.after), rule.quietMs))
}

/** The same hour some days later may come a minute early, so half a day less counts as the same night. */
const knownSince = (at: Date, level: bigint, quietMs: number): Known => {
  const slack = quietMs >= day ? day / 2 : 0
  return { at, level, untilMs: at.getTime() + quietMs - slack }
}

const day = 86_400_000

/** Restores what was reported on an earlier night; rules that no longer exist are ignored. */
export const recallNotified = (
  memory: Memory,
  rules: readonly Rule[],
  past: Seen & { rule: string; night: Date },
): void => {
  const rule = rules.find(({ name }) => name === past.rule)
  if (rule) remember(memory, rule, past, past.night)
}

/** Restores a snooze: the figure is not reported until then, up to the level it had. */
export const recallSnooze = (memory: Memory, past: Seen & { at: Date; until: Date }): void => {
  const key = figureKey(past)
  const known = { at: past.at, level: levelOf(past.after), untilMs: past.until.getTime() }
  memory.snoozed.set(key, [...(memory.snoozed.get(key) ?? []), known])
}

/** Counts as they are and amounts in cents; a figure is compared only with itself. */
const levelOf = (text: string | null): bigint =>
  text && /^-?\d+(\.\d\d)?$/.test(text) ? BigInt(text.replace('.', '')) : 0n

const figureKey = ({ organizationId, document, field }: Seen): string => `${organizationId} ${document} ${field}`
const ruleFigure = (name: string, change: Seen): string => `${figureKey(change)} ${name}`
