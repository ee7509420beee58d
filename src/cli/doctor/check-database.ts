import type { Settings } from '../../../config/settings.ts'
import type { Database } from '../../store/connect.ts'
import { schemaStatus } from '../../store/migrate.ts'
import { explainFailure, openDatabase } from '../open.ts'
import { type Finding, fine, messageOf, wrong } from './checks.ts'

const OLDEST_SERVER = 14

/** Looks at the database and its schema, and changes neither. */
export async function checkDatabase(settings: Settings): Promise<Finding[]> {
  try {
    await using database = await openDatabase(settings)
    const schema = await explainFailure(settings, () => checkSchema(database.sql))
    return [checkServer(settings, String(database.sql.parameters.server_version)), schema]
  } catch (error) {
    const cure = settings.databaseUrl ? 'Start the server, or correct DATABASE_URL.' : 'See above, or set DATABASE_URL.'
    return [wrong('database', messageOf(error), cure)]
  }
}

function checkServer(settings: Settings, version: string): Finding {
  const where = settings.databaseUrl ? `at ${new URL(settings.databaseUrl).host}` : `embedded in ${settings.home}`
  const says = `PostgreSQL ${version} ${where}`
  if (Number.parseInt(version, 10) >= OLDEST_SERVER) return fine('database', says)
  return wrong('database', says, `Use PostgreSQL ${OLDEST_SERVER} or later.`)
}

async function checkSchema(sql: Database): Promise<Finding> {
  const { applied, missing, unknown, edited } = await schemaStatus(sql)
  if (unknown.length > 0) {
    return wrong(
      'schema',
      `is newer than this version (${unknown.join(', ')})`,
      'Start the version that made it, or a later one.',
    )
  }
  if (edited.length > 0) {
    return wrong('schema', `sql/${edited.join(', sql/')} changed after being applied`, 'Restore the file as it was.')
  }
  if (missing.length > 0) return wrong('schema', `${missing.join(', ')} not applied yet`, 'Run `vigia migrate`.')
  return fine('schema', `current (${applied.length} migrations)`)
}
