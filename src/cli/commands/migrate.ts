import { openSender } from '../../queue/boss.ts'
import { schemaStatus } from '../../store/migrate.ts'
import type { CommandDefinition } from '../command.ts'
import { openContext } from '../open.ts'

/** Opening the database migrates its schema, and opening the queues theirs; this command only does and reports that. */
export const migrateDatabase: CommandDefinition = {
  examples: [
    { line: 'vigia migrate', about: 'Migrate the embedded database' },
    {
      line: 'DATABASE_URL=postgres://vigia@db/vigia vigia migrate',
      about: 'Migrate a server, before its workers start',
    },
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
