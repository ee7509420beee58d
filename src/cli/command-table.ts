import type { CommandEntry } from './command.ts'

/** Every command, in the order in which `vigia --help` lists them. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'process files from start to end: quote, look up, report',
    load: async () => (await import('./commands/files.ts')).run,
  },
  {
    name: 'plan',
    summary: 'quote a file: rows, rejects, cost; spends nothing',
    load: async () => (await import('./commands/files.ts')).plan,
  },
  {
    name: 'lookup',
    summary: 'look up one document: quote, approval, answer',
    load: async () => (await import('./commands/person.ts')).lookup,
  },
  {
    name: 'columns',
    summary: 'list the remembered column choices, or forget one',
    load: async () => (await import('./commands/installation.ts')).columns,
  },
  {
    name: 'worker',
    summary: 'run the service: queues, schedules, inbox, page',
    load: async () => (await import('./commands/worker.ts')).worker,
  },
  {
    name: 'submit',
    summary: 'submit a file to the running workers',
    load: async () => (await import('./commands/files.ts')).submit,
  },
  {
    name: 'batches',
    summary: 'list batches, newest first',
    load: async () => (await import('./commands/batches.ts')).batches,
  },
  {
    name: 'batch',
    summary: 'show one batch, or the history of one of its rows',
    load: async () => (await import('./commands/batches.ts')).batch,
  },
  {
    name: 'confirm',
    summary: 'approve a batch that needs approval',
    load: async () => (await import('./commands/batches.ts')).confirm,
  },
  {
    name: 'pause',
    summary: 'pause a batch: nothing new is sent for it',
    load: async () => (await import('./commands/batches.ts')).pause,
  },
  {
    name: 'resume',
    summary: 'resume a paused batch',
    load: async () => (await import('./commands/batches.ts')).resume,
  },
  {
    name: 'cancel',
    summary: 'cancel a batch and report every row',
    load: async () => (await import('./commands/batches.ts')).cancel,
  },
  {
    name: 'retry',
    summary: 'retry rows that got no answer; shows the cost first',
    load: async () => (await import('./commands/retry.ts')).retry,
  },
  {
    name: 'export',
    summary: 'write the files of a batch as of now',
    load: async () => (await import('./commands/batches.ts')).exportFiles,
  },
  {
    name: 'parked',
    summary: 'list purchases with an unknown outcome, and their candidates',
    load: async () => (await import('./commands/parked.ts')).parked,
  },
  {
    name: 'resolve',
    summary: 'settle a parked row',
    load: async () => (await import('./commands/parked.ts')).resolve,
  },
  {
    name: 'person',
    summary: 'show what is held about one document, or write it as a report',
    load: async () => (await import('./commands/person.ts')).person,
  },
  {
    name: 'radars',
    summary: 'list what is monitored, and what changed',
    load: async () => (await import('./commands/radars.ts')).radarCommands,
  },
  {
    name: 'rules',
    summary: 'list the alert rules, or test them on past nights',
    load: async () => (await import('./commands/rules.ts')).rules,
  },
  {
    name: 'alerts',
    summary: 'list notifications: what was sent, and to whom',
    load: async () => (await import('./commands/installation.ts')).alerts,
  },
  {
    name: 'portfolios',
    summary: 'list portfolios: lists of documents checked at an interval',
    load: async () => (await import('./commands/portfolio.ts')).portfolios,
  },
  {
    name: 'portfolio',
    summary: 'manage one portfolio, and show its runs',
    load: async () => (await import('./commands/portfolio.ts')).portfolio,
  },
  {
    name: 'usage',
    summary: "reconcile the registry's usage with our records",
    load: async () => (await import('./commands/usage.ts')).usage,
  },
  {
    name: 'plans',
    summary: 'show what each plan consumed, and what is left where the registry shows it',
    load: async () => (await import('./commands/usage.ts')).plans,
  },
  {
    name: 'sweep',
    summary: 'run a sweep now, such as the nightly check of the radars',
    load: async () => (await import('./commands/sweeps.ts')).sweep,
  },
  {
    name: 'sweeps',
    summary: 'list past sweeps, with their coverage',
    load: async () => (await import('./commands/sweeps.ts')).sweeps,
  },
  {
    name: 'lanes',
    summary: 'list held lanes, and why they are held',
    load: async () => (await import('./commands/lanes.ts')).lanes,
  },
  {
    name: 'lane',
    summary: 'hold or resume a lane',
    load: async () => (await import('./commands/lanes.ts')).lane,
  },
  {
    name: 'audit',
    summary: 'show the audit log: who did what',
    load: async () => (await import('./commands/installation.ts')).audit,
  },
  {
    name: 'operator',
    summary: 'manage who may use the page, and in which role',
    load: async () => (await import('./commands/operator.ts')).operator,
  },
  {
    name: 'doctor',
    summary: 'check settings, database, registry, folders and disk',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'sandbox',
    summary: 'run a sandbox of the registry, with all 12 operations',
    load: async () => (await import('./commands/sandbox.ts')).sandbox,
  },
  {
    name: 'migrate',
    summary: 'migrate the database schema to this version',
    load: async () => (await import('./commands/installation.ts')).migrateDatabase,
  },
  {
    name: 'purge',
    summary: 'delete what is past its retention, or all about one person',
    load: async () => (await import('./commands/purge.ts')).purge,
  },
  {
    name: 'demo',
    summary: 'take a tour in under a minute',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
]
