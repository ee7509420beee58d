import { openSender } from '../../queue/boss.ts'
import { schemaStatus } from '../../store/migrate.ts'
import type { CommandDefinition } from '../command.ts'
import { openContext } from '../open.ts'

/** Opening the database brings its schema up, and opening the queues theirs; the command does it alone and says what it did. */
export const migrateDatabase: CommandDefinition = {
  examples: [
    { line: 'vigia migrate', about: 'The embedded database' },
    { line: 'DATABASE_URL=postgres://vigia@db/vigia vigia migrate', about: 'A server, before its workers start' },
  ],

  async run(context) {
    await using opened = await openContext(context.env)
    await using _queues = await openSender(opened.settings.databaseDirectUrl ?? opened.databaseUrl, opened.log)
    const { applied } = await schemaStatus(opened.sql)
    context.print({ migrated: opened.migrated, applied }, () =>
      opened.migrated.length > 0
        ? `Applied ${opened.migrated.join(', ')}.`
        : `The schema is current (${applied.length} migrations).`,
    )
    return 0
  },
}
