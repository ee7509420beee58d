import type { CommandEntry } from './command.ts'

/** Every command, in the order in which `vigia --help` lists them. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'take files from start to end: quote, look up, report',
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'plan',
    summary: 'say what a file would bring and cost; spends nothing',
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  {
    name: 'columns',
    summary: 'what people chose for which headers',
    load: async () => (await import('./commands/columns.ts')).columns,
  },
  {
    name: 'worker',
    summary: 'work until told to stop: queues, schedules, inbox, page',
    load: async () => (await import('./commands/worker.ts')).worker,
  },
  {
    name: 'submit',
    summary: 'hand a file to the running workers',
    load: async () => (await import('./commands/submit.ts')).submit,
  },
  {
    name: 'batches',
    summary: 'list the batches, newest first',
    load: async () => (await import('./commands/batches.ts')).batches,
  },
  {
    name: 'batch',
    summary: 'show one batch, or the story of one of its rows',
    load: async () => (await import('./commands/batch.ts')).batch,
  },
  {
    name: 'confirm',
    summary: 'let a batch that waits for a word spend',
    load: async () => (await import('./commands/pause-resume-cancel.ts')).confirm,
  },
  {
    name: 'pause',
    summary: 'ask nothing new for a batch',
    load: async () => (await import('./commands/pause-resume-cancel.ts')).pause,
  },
  {
    name: 'resume',
    summary: 'let a paused batch go on',
    load: async () => (await import('./commands/pause-resume-cancel.ts')).resume,
  },
  {
    name: 'cancel',
    summary: 'end a batch and report every row',
    load: async () => (await import('./commands/pause-resume-cancel.ts')).cancel,
  },
  {
    name: 'retry',
    summary: 'ask again what got no answer; says first what it costs',
    load: async () => (await import('./commands/retry.ts')).retry,
  },
  {
    name: 'export',
    summary: 'write the files of a batch as of now',
    load: async () => (await import('./commands/export.ts')).exportFiles,
  },
  {
    name: 'parked',
    summary: 'list every purchase in doubt, with what it may be',
    load: async () => (await import('./commands/parked.ts')).parked,
  },
  {
    name: 'resolve',
    summary: 'settle a parked row',
    load: async () => (await import('./commands/resolve.ts')).resolve,
  },
  {
    name: 'person',
    summary: 'everything held about one document, also as a report to the person',
    load: async () => (await import('./commands/person.ts')).person,
  },
  {
    name: 'radars',
    summary: 'what is monitored, and what changed',
    load: async () => (await import('./commands/radars.ts')).radarCommands,
  },
  {
    name: 'rules',
    summary: 'which changes people are told of, and what that would have been',
    load: async () => (await import('./commands/rules.ts')).rules,
  },
  {
    name: 'alerts',
    summary: 'say what was told to whom',
    load: async () => (await import('./commands/alerts.ts')).alerts,
  },
  {
    name: 'portfolios',
    summary: 'list the lists of documents that repeat',
    load: async () => (await import('./commands/portfolios.ts')).portfolios,
  },
  {
    name: 'portfolio',
    summary: 'keep a list of documents that repeats, and see its runs',
    load: async () => (await import('./commands/portfolio.ts')).portfolio,
  },
  {
    name: 'usage',
    summary: 'lay what the registry counted beside our own books',
    load: async () => (await import('./commands/usage.ts')).usage,
  },
  {
    name: 'sweep',
    summary: 'run a recurring task now',
    load: async () => (await import('./commands/sweeps.ts')).sweep,
  },
  {
    name: 'sweeps',
    summary: 'the history of recurring tasks, with coverage',
    load: async () => (await import('./commands/sweeps.ts')).sweeps,
  },
  {
    name: 'lanes',
    summary: 'say what is held and why',
    load: async () => (await import('./commands/lanes.ts')).lanes,
  },
  {
    name: 'lane',
    summary: 'hold a lane by hand, or let it go on',
    load: async () => (await import('./commands/lanes.ts')).lane,
  },
  {
    name: 'audit',
    summary: 'say who did what',
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  {
    name: 'operator',
    summary: 'say who may use the page, and as what',
    load: async () => (await import('./commands/operator.ts')).operator,
  },
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
  {
    name: 'purge',
    summary: 'delete what is old, or everything about one person',
    load: async () => (await import('./commands/purge.ts')).purge,
  },
  {
    name: 'demo',
    summary: 'take the tour, in under a minute',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
]
