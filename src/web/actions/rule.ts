import { classifications } from '../../domain/classifications.ts'
import { type Counted, type Rule, severities } from '../../domain/rule.ts'
import { RuleRefusal } from '../../monitoring/keep-rules.ts'

/** The conditions of a rule, in the order of the form. */
export const ruleConditions = ['value_grows', 'count_grows', 'appears', 'radar_removed'] as const

/** The counts that a rule may watch; an amount is always that of a class. */
export const watchable = [...classifications, 'processes'] as const satisfies readonly Counted[]

/** The rule that a form describes; each class has its own checkbox. */
export const ruleIn = (form: Record<string, string>): Rule => {
  const when = ruleConditions.find((each) => each === form.when)
  const severity = severities.find((each) => each === form.severity)
  const name = (form.name ?? '').trim()
  const days = Number(form.quiet || 0)
  const portfolio = form.portfolio?.trim()
  if (!when || !severity || name === '' || name.length > 80) throw wrong()
  if (!Number.isInteger(days) || days < 0 || days > 400) throw wrong()
  const always = { name, severity, quietMs: days * 86_400_000, ...(portfolio && { portfolio }) }
  return when === 'radar_removed' ? { ...always, when } : growing(form, when, always)
}

type Growing = Exclude<(typeof ruleConditions)[number], 'radar_removed'>

const growing = (
  form: Record<string, string>,
  when: Growing,
  always: Pick<Rule, 'name' | 'severity' | 'quietMs'>,
): Rule => {
  const ticked = watchable.filter((name) => form[`class_${name}`] === 'on')
  const figure = Number(form.figure)
  if (when === 'appears') return { ...always, when, classes: some(ticked) }
  if (!Number.isFinite(figure) || figure <= 0 || figure > 1e12) throw wrong()
  if (when === 'count_grows') return { ...always, when, classes: some(ticked), by: Math.ceil(figure) }
  const classes = some(ticked.filter((name) => name !== 'processes'))
  return { ...always, when, classes, moreThanCents: Math.round(figure * 100) }
}

const some = <T>(classes: T[]): T[] => {
  if (classes.length === 0) throw wrong()
  return classes
}

const wrong = () => new RuleRefusal(['rule_wrong'])
