import { loadSettings, type Settings } from '../../config/settings.ts'
import { readDatabaseAddress } from '../domain/database-address.ts'
import type { Account } from '../domain/lookup.ts'
import { startFleetClock } from '../engine/fleet.ts'
import { openHome } from '../home/folders.ts'
import { connectionsFor, measureMachine } from '../home/machine.ts'
import { type Installation, openPlace, openRegistry } from '../installation.ts'
import { createLog, type Logger } from '../log/log.ts'
import { registerSecret } from '../log/mask.ts'
import type { Registry } from '../registry/create-registry.ts'
import { connect, type Database, hasOwnSession } from '../store/connect.ts'
import { startEmbedded } from '../store/embedded/start-embedded.ts'
import { migrate } from '../store/migrate.ts'
import { awaitWritable } from '../store/server-state.ts'
import { type CommandContext, CommandFailure } from './command.ts'

/** An open installation, and the migrations that opening it applied. */
export type OpenInstallation = AsyncDisposable &
  Installation & {
    migrated: string[]
    /** The database's time: whatever a command decides must not depend on the clock of its machine. */
    clock: () => Date
  }

/** Settings, log, folders, and a database whose schema is current; disposing closes them in reverse order. */
export const openContext = async (
  env: Record<string, string | undefined>,
  starting?: () => void,
): Promise<OpenInstallation> => {
  await using opening = new AsyncDisposableStack()
  const settings = loadSettings(env)
  hideSecrets(settings)
  const log = createLog({ level: settings.logLevel })
  const home = await openHome(settings.home)
  const { url, sql } = opening.use(await openDatabase(settings, starting))
  await explainFailure(settings, () => waitForPrimary(sql, log))
  const { applied: migrated } = await explainFailure(settings, () => migrateDirectly(settings, sql))
  const { read: clock } = await startFleetClock(sql)
  const installation = { settings, log, home, databaseUrl: url, sql, migrated, clock }
  const opened = opening.move()
  return { ...installation, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** From here on no log line shows them, whatever text contains them. */
const hideSecrets = ({ registry, alerts }: Settings): void => {
  const { secret, smtpUrl, slack, teams } = alerts
  const password = smtpUrl ? decodeURIComponent(new URL(smtpUrl).password) : null
  const secrets = [registry?.token, registry?.refreshToken, secret, smtpUrl, password, slack?.url, teams?.url]
  for (const each of secrets) if (each) registerSecret(each)
}

/** Waits for a standby that is not promoted yet, or a primary that was demoted; everything else is an error. */
const waitForPrimary = async (sql: Database, log: Logger): Promise<void> => {
  const warn = () => log.warn({}, 'the database is read-only: waiting for one that accepts writes')
  if (await awaitWritable(sql, warn)) log.info({}, 'the database takes writes')
}

/** Migrations use the direct address if one is set: they may take longer than a pool allows a transaction. */
const migrateDirectly = async ({ databaseDirectUrl }: Settings, pooled: Database): Promise<{ applied: string[] }> => {
  if (!databaseDirectUrl) return migrate(pooled)
  const sql = connect(databaseDirectUrl, { max: 1, name: 'vigia migrate' })
  return migrate(sql).finally(() => sql.end({ timeout: 5 }))
}

/** The server that `DATABASE_URL` names, or the embedded one of the home; its schema is left as it is. */
export const openDatabase = async (
  settings: Settings,
  starting?: () => void,
): Promise<AsyncDisposable & { url: string; sql: Database }> => {
  const embedded = settings.databaseUrl ? undefined : await startEmbedded({ home: settings.home, starting })
  const url = settings.databaseUrl ?? embedded!.url
  const hasSession = embedded !== undefined || (await explainFailure(settings, () => hasOwnSession(url)))
  const sql = connect(url, { max: settings.databasePool ?? connectionsFor(measureMachine()), hasSession })
  const close = async () => {
    await sql.end({ timeout: 5 })
    await embedded?.release()
  }
  return { url, sql, [Symbol.asyncDispose]: close }
}

/** Runs the first query. If the server cannot be reached, the operator must fix it, so the message says where it is. */
export const explainFailure = async <T>(settings: Settings, query: () => Promise<T>): Promise<T> => {
  try {
    return await query()
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    if (!settings.databaseUrl || !connectionCodes.test(code)) throw cause
    const { hosts, database, tls } = readDatabaseAddress(settings.databaseUrl)!
    const where = `the database ${database} at ${hosts}`
    throw new CommandFailure(`cannot use ${where}: ${message || code}. ${cureOf(code, tls)}`, { cause })
  }
}

/** 28000 is a role, host or database without a rule; a server that takes TLS only has none for clear text. */
const cureOf = (code: string, tls: object | null): string =>
  code === '28000' && tls === null
    ? 'If the server takes TLS only, add ?sslmode=verify-full to DATABASE_URL.'
    : 'Check DATABASE_URL and the server.'

/** System codes, PostgreSQL's classes 08 (connection), 28 (authorization), 3D (no such database), 53 (full), 57P (shutdown). */
const connectionCodes = /^(ECONN|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN|CONNECT|CONNECTION_|08|28|3D|53|57P)/

type Watcher = Pick<CommandContext, 'env'> & Partial<Pick<CommandContext, 'stderr' | 'json'>>

/** Opens everything for a person who watches: the log shows errors alone, unless `LOG_LEVEL` is set. */
export const openForPeople = async ({ env, stderr, json }: Watcher): Promise<OpenInstallation> => {
  const opened = await openContext(env, () => {
    if (!json) stderr?.write('Starting PostgreSQL (DATABASE_URL is not set)…\n')
  })
  if (!env.LOG_LEVEL) opened.log.level = 'error'
  return opened
}

/** Opens the registry for one request, without an engine. */
export const withRegistry = async <T>(
  opened: OpenInstallation,
  use: (open: { registry: Registry; accounts: readonly Account[] }) => Promise<T>,
): Promise<T> => {
  await using place = await openPlace(opened.settings)
  await using open = await openRegistry(opened, place)
  open.registry.turnstile.bound.ceiling = 1
  // Awaited here: the registry is closed when this function ends.
  return await use({ registry: open.registry, accounts: place.accounts })
}
