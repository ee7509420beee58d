import type { Settings } from '../../../config/settings.ts'
import { readDatabaseAddress } from '../../domain/database-address.ts'
import { hasScr } from '../../store/batches/batches.ts'
import { type Database, hasOwnSession, isNotified } from '../../store/connect.ts'
import { schemaStatus } from '../../store/migrate.ts'
import { undeclaredLists } from '../../store/purchases/list-snapshots.ts'
import { isWritable, readVacuumHolder } from '../../store/server-state.ts'
import { number } from '../lines/texts.ts'
import { explainFailure, openDatabase } from '../open.ts'
import { type Finding, fine, messageOf, wrong } from './checks.ts'

const OLDEST_SERVER = 14

/** Checks the database and its schema, and changes neither. */
export const checkDatabase = async (settings: Settings): Promise<Finding[]> => {
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
