import { type Kind, kinds } from '../src/domain/kind.ts'
import { readPurpose } from '../src/domain/purpose.ts'
import type { ConfigFile } from './config-file.ts'
import defaults from './default.json' with { type: 'json' }
import { type FromEnvironment, isLoopback, type Organization, readEnvironment } from './environment.ts'
import { type Environment, EnvironmentReader } from './environment-reader.ts'
import { layOver, readOverlay } from './overlay.ts'
import { SettingsProblem, type WrongSetting } from './settings-problem.ts'

/** Everything that an operator may set, checked and resolved; every duration is in milliseconds. */
export type Settings = Readonly<ReturnType<typeof assemble>>

type LoadOptions = {
  /** What relative paths are relative to. */
  cwd?: string
  /** JSON laid over the defaults and over the file that `VIGIA_CONFIG` names. */
  overlay?: unknown
}

/** Reads defaults, overlay and environment into one frozen object, or throws everything that is wrong with them. */
export const loadSettings = (env: Environment, { cwd = process.cwd(), overlay = {} }: LoadOptions = {}): Settings => {
  const wrong: WrongSetting[] = []
  const reader = new EnvironmentReader(env, cwd, wrong)
  const name = reader.text('VIGIA_CONFIG')
  const file = layOver([defaults, name ? readOverlay(name, cwd, wrong) : {}, overlay], wrong)
  const fromEnvironment = readEnvironment(reader, cwd)
  if (file) {
    const settings = assemble(file, fromEnvironment)
    const named = new Set(wrong.map(({ setting }) => setting))
    wrong.push(...findContradictions(settings).filter(({ setting }) => !named.has(setting)))
    if (wrong.length === 0) return deepFreeze(settings)
  }
  throw new SettingsProblem(wrong)
}

const assemble = (file: ConfigFile, env: FromEnvironment) => {
  const { $schema, organizations, request, polling, freshness, purchases, registry: wire, ...kept } = file
  const { organization, host, port, webhookSecret, smtpUrl, ...places } = env
  return {
    ...kept,
    ...places,
    /** The one in the environment first. Empty with the built-in sandbox, which brings its own. */
    organizations: organization ? [organization, ...organizations] : (organizations as Organization[]),
    /** For calls that belong to no kind, such as the renewal of the token. */
    request: forAll(request),
    forKind: Object.fromEntries(kinds.map((kind) => [kind, forOne(file, kind)])) as Record<
      Kind,
      ReturnType<typeof forOne>
    >,
    purpose: { ...file.purpose, default: readPurpose(file.purpose.default) },
    alerts: { ...file.alerts, secret: webhookSecret, smtpUrl },
    /** What the interface leaves open about the wire. (Interface 4.9, 4.11) */
    wire,
    /** Where the operator page listens; off loopback it needs operators, who are in the database. */
    web: { host, port, loopback: isLoopback(host), ...file.web },
  }
}

const forOne = ({ request, polling, freshness, purchases, registry: { list } }: ConfigFile, kind: Kind) => ({
  request: { ...forAll(request), ...request[kind] },
  polling: { ...forAll(polling), ...polling[kind] },
  freshness: freshness[kind] ?? 0,
  purchases: {
    ...forAll(purchases),
    ...purchases[kind],
    ...(kind === 'analysis' && list?.lag !== undefined && { listLag: list.lag }),
    shows: kind === 'analysis' ? (list?.shows ?? null) : null,
    inOrder: kind === 'analysis' && list?.order === 'bought',
  },
})

/** A section without the values for single kinds. */
const forAll = <Section extends Partial<Record<Kind, unknown>>>(section: Section): Omit<Section, Kind> => {
  const { analysis, cnh, scr, processes, radar, inactivation, ...rest } = section
  return rest
}

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

/** Settings that are valid by themselves and wrong together. */
const findContradictions = (settings: Settings): WrongSetting[] =>
  [organizations, polling, retention, rules, alerts].flatMap((find) => find(settings))

const organizations = ({ organizations, registry }: Settings): WrongSetting[] => {
  const ids = organizations.map(({ organizationId }) => organizationId)
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index))
  const wrong = [...repeated].map((id) => ({
    setting: 'organizations',
    problem: `organization ${id} is listed twice`,
  }))
  if (registry && ids.length === 0) {
    const problem = 'is needed with REGISTRY_URL, and so are REGISTRY_HOLDER_ID and REGISTRY_PLAN_ID'
    wrong.push({ setting: 'REGISTRY_ORGANIZATION_ID', problem })
  }
  return wrong
}

const polling = ({ forKind }: Settings): WrongSetting[] => {
  const wrong = kinds.flatMap((kind) => {
    const { first, max, deadline } = forKind[kind].polling
    if (first <= max && max <= deadline) return []
    return [`expected first <= max <= deadline for ${kind}, got ${first} ms, ${max} ms, ${deadline} ms`]
  })
  return wrong.map((problem) => ({ setting: 'polling', problem }))
}

/** An answer that is deleted while it is fresh would be bought again. */
const retention = ({ forKind, retention }: Settings): WrongSetting[] =>
  kinds
    .filter((kind) => forKind[kind].freshness > retention.lookups)
    .map((kind) => ({ setting: 'retention.lookups', problem: `must not be shorter than freshness.${kind}` }))

/** Rules are remembered and reported by their names, so two rules must not share one. */
const rules = ({ rules }: Settings): WrongSetting[] => {
  const names = rules.map(({ name }) => name)
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [...repeated].map((name) => ({ setting: 'rules', problem: `two rules have the name ${JSON.stringify(name)}` }))
}

/** A receiver could not distinguish an unsigned message from a forged one. */
const alerts = ({ alerts: { webhook, secret, email, smtpUrl } }: Settings): WrongSetting[] => [
  ...(webhook && !secret ? [{ setting: 'VIGIA_WEBHOOK_SECRET', problem: 'is needed with alerts.webhook' }] : []),
  ...(email && !smtpUrl ? [{ setting: 'SMTP_URL', problem: 'is needed with alerts.email' }] : []),
]
