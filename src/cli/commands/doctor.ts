import { access, constants, statfs } from 'node:fs/promises'
import { styleText } from 'node:util'
import { getHeapStatistics } from 'node:v8'
import type { Organization, RegistrySettings } from '../../../config/environment.ts'
import { loadSettings, type Settings } from '../../../config/settings.ts'
import { SettingsProblem } from '../../../config/settings-problem.ts'
import { formatPrice } from '../../domain/amount.ts'
import { readDatabaseAddress } from '../../domain/database-address.ts'
import { openHome } from '../../home/folders.ts'
import { connectionsFor, measureMachine } from '../../home/machine.ts'
import { checkMailServer } from '../../notify/send-mail.ts'
import { createBound } from '../../registry/bound.ts'
import { createRegistry, type Registry } from '../../registry/create-registry.ts'
import { AccessDenied, TokenDead } from '../../registry/errors.ts'
import type { TokenVault } from '../../registry/token-keeper.ts'
import { reachOutside } from '../../registry/webhook.ts'
import { hasScr } from '../../store/batches/batches.ts'
import { type Database, hasOwnSession, isNotified } from '../../store/connect.ts'
import { schemaStatus } from '../../store/migrate.ts'
import { undeclaredLists } from '../../store/purchases/list-snapshots.ts'
import { isWritable, readVacuumHolder } from '../../store/server-state.ts'
import type { CommandContext, CommandDefinition } from '../command.ts'
import { counted, number } from '../lines/texts.ts'
import { explainFailure, openDatabase } from '../open.ts'

/** Checks everything that Vigia needs; changes and spends nothing. */
export const doctor: CommandDefinition = {
  examples: {
    'vigia doctor': 'Check that this machine is ready',
    'vigia doctor --json': 'For a script; exits with 1 if something is wrong, 2 if it is a setting',
  },

  async run(context) {
    const findings = await examine(context)
    const ok = findings.every((finding) => finding.ok)
    const areSettingsWrong = findings.some(({ check, ok }) => check === 'settings' && !ok)
    context.print({ ok, findings }, () => findings.map((finding) => render(finding, context)).join('\n'))
    return ok ? 0 : areSettingsWrong ? 2 : 1
  },
}

const examine = async ({ env }: CommandContext): Promise<Finding[]> => {
  const settings = readSettings(env)
  if (Array.isArray(settings)) return settings
  const from = env.VIGIA_CONFIG ? `defaults, ${env.VIGIA_CONFIG} and environment` : 'defaults and environment'
  return [
    fine('settings', `${from} are valid`),
    checkMachine(settings),
    ...checkSpending(settings),
    await checkFolders(settings.home),
    await checkDisk(settings.home),
    ...(await checkDatabase(settings)),
    ...(await checkRegistry(settings)),
    ...(await checkReceivers(settings)),
  ]
}

const readSettings = (env: CommandContext['env']): Settings | Finding[] => {
  try {
    return loadSettings(env)
  } catch (error) {
    if (!(error instanceof SettingsProblem)) throw error
    return error.wrong.map(({ setting, problem }) =>
      wrong('settings', `${setting} ${problem}`, 'Correct it and run `vigia doctor` again.'),
    )
  }
}

const render = ({ check, ok, says, cure }: Finding, { stdout }: CommandContext): string => {
  const badge = ok ? styleText('green', 'ok   ', { stream: stdout }) : styleText('red', 'wrong', { stream: stdout })
  const lines = [says, ...(cure ? [cure] : [])].join('\n').split('\n')
  return `${badge}  ${check.padEnd(10)}${lines.join(`\n${' '.repeat(17)}`)}`
}

/** The result of one check; `cure` is what a person can do about it. */
type Finding = { check: string; ok: boolean; says: string; cure?: string }

const fine = (check: string, says: string): Finding => ({ check, ok: true, says })

const wrong = (check: string, says: string, cure: string): Finding => ({ check, ok: false, says, cure })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const MIB = 1024 * 1024
/** With less, PostgreSQL and the reports of one large batch may fill the disk. */
const LEAST_FREE = 1024 * MIB

const checkFolders = async (path: string): Promise<Finding> => {
  try {
    const { path: home, ...folders } = await openHome(path)
    await Promise.all(Object.values(folders).map((folder) => access(folder, constants.R_OK | constants.W_OK)))
    return fine('folders', `${home} can be read and written`)
  } catch (error) {
    return wrong('folders', messageOf(error), 'Give this user access to it, or set VIGIA_HOME to a writable folder.')
  }
}

const checkDisk = async (path: string): Promise<Finding> => {
  try {
    const { bavail, bsize } = await statfs(path)
    const free = bavail * bsize
    const says = `${Math.floor(free / MIB).toLocaleString('en')} MiB free`
    if (free >= LEAST_FREE) return fine('disk', says)
    return wrong('disk', says, 'Free some space (1 GiB at least), or set VIGIA_HOME to a folder on a larger disk.')
  } catch (error) {
    return wrong('disk', messageOf(error), 'Set VIGIA_HOME to a folder on a local disk.')
  }
}

/** An import takes 202 MiB at its peak, whatever the size of the file. */
const LEAST_MEMORY = 256 * MIB

/** The cores and the memory of this machine, and the heap and connections that follow from them. */
export const checkMachine = ({ databasePool }: Pick<Settings, 'databasePool'>): Finding => {
  const machine = measureMachine()
  const memory = `${mebibytes(machine.memory)} of memory${machine.contained ? ' by the limit of its container' : ''}`
  const heap = `a heap of ${mebibytes(getHeapStatistics().heap_size_limit)} at most`
  const pool = `${databasePool ?? connectionsFor(machine)} connections`
  const says = `${machine.cores === 1 ? '1 core' : `${machine.cores} cores`}, ${memory}: ${heap}, ${pool}`
  if (machine.memory >= LEAST_MEMORY) return fine('machine', says)
  return wrong('machine', says, 'Give the container 256 MiB at least.')
}

const mebibytes = (bytes: number): string => `${Math.floor(bytes / MIB).toLocaleString('en')} MiB`

/** What may be spent without approval: either choice is valid, and everyone should know which one was made. */
const checkSpending = ({ budget }: Settings): Finding[] => [
  fine('spending', [waiting(budget), limits(budget), prices(budget)].filter(Boolean).join('\n')),
]

const waiting = ({ confirmAbove }: Settings['budget']): string => {
  if (confirmAbove === null) {
    return 'files in the inbox and from `vigia submit` need no approval (budget.confirmAbove would require it for large ones)'
  }
  const above = counted(confirmAbove, 'paid call')
  return `files in the inbox and from \`vigia submit\` need \`vigia confirm\` above ${above} (budget.confirmAbove)`
}

const limits = ({ perDay, perBatch }: Settings['budget']): string => {
  const day = perDay === null ? 'no limit per day' : `at most ${number(perDay)} a day`
  const batch = perBatch === null ? 'none per batch' : `${number(perBatch)} per batch`
  return `${day}, ${batch} (budget.perDay, budget.perBatch)`
}

const prices = ({ unitPrice }: Settings['budget']): string | null => {
  const known = Object.entries(unitPrice ?? {}).map(([kind, price]) => `${kind} ${formatPrice(price, 'en')}`)
  return known.length > 0 ? `a paid call costs: ${known.join(', ')} (budget.unitPrice)` : null
}

const OLDEST_SERVER = 14

/** Checks the database and its schema, and changes neither. */
const checkDatabase = async (settings: Settings): Promise<Finding[]> => {
  try {
    await using database = await openDatabase(settings)
    const schema = await explainFailure(settings, () => checkSchema(database.sql))
    const findings = [
      await checkServer(settings, database.sql),
      await checkConnections(database.url),
      await checkVacuum(database.sql),
      schema,
    ]
    if (!schema.ok) return findings
    const { sql } = database
    return [...findings, ...(await checkAuthorizations(settings, sql)), ...(await checkLists(settings, sql))]
  } catch (error) {
    const cure = settings.databaseUrl ? 'Start the server, or correct DATABASE_URL.' : 'See above, or set DATABASE_URL.'
    return [wrong('database', messageOf(error), cure)]
  }
}

const checkServer = async ({ databaseUrl, home }: Settings, sql: Database): Promise<Finding> => {
  const version = String(sql.parameters.server_version)
  const where = databaseUrl ? `at ${readDatabaseAddress(databaseUrl)!.hosts}` : `embedded in ${home}`
  const says = `PostgreSQL ${version} ${where}`
  if (!(await isWritable(sql))) {
    return wrong(
      'database',
      `${says} is read-only: workers wait for it`,
      'Promote it, or name the primary in DATABASE_URL.',
    )
  }
  if (Number.parseInt(version, 10) >= OLDEST_SERVER) return fine('database', says)
  return wrong('database', says, `Use PostgreSQL ${OLDEST_SERVER} or later.`)
}

/** Whether a pool stands before the server, and what that means for statements and for the queue. */
const checkConnections = async (url: string): Promise<Finding> => {
  if (await hasOwnSession(url)) {
    return fine('sessions', 'each connection has a session: statements are prepared, and new work wakes the workers')
  }
  const waking = (await isNotified(url)) ? 'new work wakes the workers' : 'workers poll for new work twice a second'
  return fine('sessions', `a pool stands before the server: statements are not prepared, and ${waking}`)
}

/** An old transaction elsewhere keeps every row version that was replaced since, and all tables get slower to read. */
const checkVacuum = async (sql: Database): Promise<Finding> => {
  const holder = await readVacuumHolder(sql)
  if (!holder) return fine('vacuum', 'no old transaction or unused replication slot keeps old row versions')
  const { what, name, transactions, seconds } = holder
  const age = seconds === null ? `${number(transactions)} transactions` : `${number(Math.round(seconds / 60))} minutes`
  return wrong('vacuum', `${what} ${name} has kept old row versions for ${age}: queues get slower`, cures[what])
}

const cures = {
  session: 'End its transaction, or the session: select pg_terminate_backend(pid).',
  prepared: 'Commit or roll back this prepared transaction.',
  slot: 'Connect its consumer, or drop it: select pg_drop_replication_slot(name).',
}

/** The Central Bank expects the prior authorization of whoever an SCR look-up is about. */
const checkAuthorizations = async ({ scr }: Settings, sql: Database): Promise<Finding[]> => {
  if (scr.requireAuthorization) return [fine('scr', 'rows without an authorization are rejected')]
  if (!(await hasScr(sql))) return []
  const says = 'SCR is looked up, and rows without an authorization are accepted'
  return [
    { ...fine('scr', says), cure: 'Recommended: set scr.requireAuthorization, and fill the column `autorizacao`.' },
  ]
}

/** A list that does not say whether it shows everything parks purchases that it could prove, unless a person says so. */
const checkLists = async ({ forKind }: Settings, sql: Database): Promise<Finding[]> => {
  if (forKind.analysis.purchases.shows !== null) return []
  const lists = await undeclaredLists(sql)
  return lists.map(({ organizationId, items }) => ({
    ...fine(
      'list',
      `the purchase list of ${organizationId} (${items} items) shows every purchase of ours, and does not say whether it shows all`,
    ),
    cure: 'If the registry confirms that it does, set registry.list to { "shows": "everything" }: fewer rows are parked.',
  }))
}

const checkSchema = async (sql: Database): Promise<Finding> => {
  const { applied, missing, unknown, edited } = await schemaStatus(sql)
  if (unknown.length > 0) {
    return wrong(
      'schema',
      `is newer than this version (${unknown.join(', ')})`,
      'Start the version that migrated it, or a later one.',
    )
  }
  if (edited.length > 0) {
    return wrong('schema', `sql/${edited.join(', sql/')} changed after being applied`, 'Restore the file as it was.')
  }
  if (missing.length > 0) return wrong('schema', `${missing.join(', ')} not applied yet`, 'Run `vigia migrate`.')
  return fine('schema', `current (${applied.length} migrations)`)
}

const TIMEOUT_MS = 10_000

/** Asks each organization for its list of analyses, which costs nothing and changes nothing. (Interface 4.6) */
const checkRegistry = async (settings: Settings): Promise<Finding[]> => {
  if (!settings.registry) return [fine('registry', 'the built-in sandbox; set REGISTRY_URL for the real one')]
  const registry = openRegistry(settings, settings.registry)
  try {
    const findings = settings.organizations.map((organization) => checkOrganization(registry, organization))
    return [fine('registry', settings.registry.url), ...(await Promise.all(findings))]
  } finally {
    await registry.close()
  }
}

const checkOrganization = async (registry: Registry, organization: Organization): Promise<Finding> => {
  const name = organization.name ?? `organization ${organization.organizationId}`
  try {
    await registry.activities.list(organization)
    return fine('token', `accepted for ${name}`)
  } catch (error) {
    const check = error instanceof TokenDead || error instanceof AccessDenied ? 'token' : 'registry'
    return wrong(check, `${name}: ${messageOf(error)}`, cureOf(error))
  }
}

const cureOf = (error: unknown): string => {
  if (error instanceof TokenDead) return tokenCure
  if (error instanceof AccessDenied) return 'Check REGISTRY_ORGANIZATION_ID and REGISTRY_HOLDER_ID.'
  return 'Check REGISTRY_URL, and that this machine can reach it.'
}

/** The fleet renews its token in the database; the one in the environment may be older. */
const tokenCure =
  'Set a new REGISTRY_TOKEN and REGISTRY_REFRESH_TOKEN, unless `vigia lanes` shows no lane held for its token.'

const openRegistry = (settings: Settings, { url, ...credentials }: RegistrySettings): Registry => {
  const request = { ...settings.request, retries: 0, timeout: Math.min(settings.request.timeout, TIMEOUT_MS) }
  return createRegistry({
    url,
    credentials,
    request,
    vault: givenToken(credentials.token),
    bound: createBound({ ceiling: 1 }),
  })
}

/** The token as it was given; only the workers renew it. */
const givenToken = (token: string): TokenVault => ({
  read: async () => ({ token, generation: 0 }),
  exchange: async () => {
    throw new TokenDead(['text', 'The registry does not accept the token'])
  },
})

/** Tries the mail server and the addresses of chats as far as that goes without sending a message. */
const checkReceivers = async ({ alerts }: Settings): Promise<Finding[]> => {
  const { webhook, email, smtpUrl, slack, teams, allowPrivate } = alerts
  const posts = Object.entries({ webhook, slack: slack?.url, teams: teams?.url })
  return Promise.all([
    ...(email && smtpUrl ? [checkMail(smtpUrl)] : []),
    ...posts.flatMap(([name, url]) => (url ? [checkPost(`alerts.${name}`, { url, allowPrivate })] : [])),
  ])
}

const checkMail = async (smtpUrl: string): Promise<Finding> => {
  const { host } = new URL(smtpUrl)
  try {
    await checkMailServer(smtpUrl)
    return fine('mail', `${host} accepts the sign-in; \`vigia alerts test\` sends a mail`)
  } catch (error) {
    return wrong('mail', `${host}: ${messageOf(error)}`, 'Check SMTP_URL, and that this machine can reach it.')
  }
}

const checkPost = async (setting: string, address: { url: string; allowPrivate: boolean }): Promise<Finding> => {
  try {
    await reachOutside(setting, address)
    return fine('messages', `${setting} can be reached; \`vigia alerts test\` sends a message`)
  } catch (error) {
    return wrong('messages', messageOf(error), `Check ${setting}, and that this machine can reach it.`)
  }
}
