import type { CommandEntry } from './command.ts'

/** Every command, in the order in which `vigia --help` lists them. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'doctor',
    summary: 'check settings, database, registry, folders and disk, and say what to do',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'sandbox',
    summary: 'run the registry itself, all 12 operations, on this machine',
    load: async () => (await import('./commands/sandbox.ts')).sandbox,
  },
  {
    name: 'migrate',
    summary: 'bring the schema of the database up to this version',
    load: async () => (await import('./commands/migrate.ts')).migrateDatabase,
  },
]
