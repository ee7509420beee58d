import type { CommandDefinition, CommandEntry, CommandGroup } from './command.ts'

/** The commands of a file, which is loaded only if one of them is called. */
const from =
  <Exports extends object>(load: () => Promise<Exports>) =>
  (name: string, summary: string, exported = name as keyof Exports): CommandEntry => ({
    name,
    summary,
    load: async () => (await load())[exported] as CommandDefinition | CommandGroup,
  })

const batches = from(() => import('./commands/batches.ts'))
const demo = from(() => import('./commands/demo.ts'))
const doctor = from(() => import('./commands/doctor.ts'))
const files = from(() => import('./commands/files.ts'))
const installation = from(() => import('./commands/installation.ts'))
const parked = from(() => import('./commands/parked.ts'))
const person = from(() => import('./commands/person.ts'))
const portfolio = from(() => import('./commands/portfolio.ts'))
const purge = from(() => import('./commands/purge.ts'))
const radars = from(() => import('./commands/radars.ts'))
const sandbox = from(() => import('./commands/sandbox.ts'))
const sweeps = from(() => import('./commands/sweeps.ts'))
const usage = from(() => import('./commands/usage.ts'))
const worker = from(() => import('./commands/worker.ts'))

/** Every command, in the order in which `vigia --help` lists them. */
export const commandTable: readonly CommandEntry[] = [
  files('run', 'process files from start to end: quote, look up, report'),
  files('plan', 'quote a file: rows, rejects, cost; spends nothing'),
  person('lookup', 'look up one document: quote, approval, answer'),
  installation('columns', 'list the remembered column choices, or forget one'),
  worker('worker', 'run the service: queues, schedules, inbox, page'),
  files('submit', 'submit a file to the running workers'),
  batches('batches', 'list batches, newest first'),
  batches('batch', 'show one batch, or the history of one of its rows'),
  batches('confirm', 'approve a batch that needs approval'),
  batches('pause', 'pause a batch: nothing new is sent for it'),
  batches('resume', 'resume a paused batch'),
  batches('cancel', 'cancel a batch and report every row'),
  batches('retry', 'retry rows that got no answer; shows the cost first'),
  batches('export', 'write the files of a batch as of now', 'exportFiles'),
  parked('parked', 'list purchases with an unknown outcome, and their candidates'),
  parked('resolve', 'settle a parked row'),
  person('person', 'show what is held about one document, or write it as a report'),
  radars('radars', 'list what is monitored, and what changed', 'radarCommands'),
  radars('rules', 'list the alert rules, or test them on past nights'),
  installation('alerts', 'list notifications: what was sent, and to whom'),
  portfolio('portfolios', 'list portfolios: lists of documents checked at an interval'),
  portfolio('portfolio', 'manage one portfolio, and show its runs'),
  usage('usage', "reconcile the registry's usage with our records"),
  usage('plans', 'show what each plan consumed, and what is left where the registry shows it'),
  sweeps('sweep', 'run a sweep now, such as the nightly check of the radars'),
  sweeps('sweeps', 'list past sweeps, with their coverage'),
  installation('lanes', 'list held lanes, and why they are held'),
  installation('lane', 'hold or resume a lane'),
  installation('audit', 'show the audit log: who did what'),
  installation('operator', 'manage who may use the page, and in which role'),
  doctor('doctor', 'check settings, database, registry, folders and disk'),
  sandbox('sandbox', 'run a sandbox of the registry, with all 12 operations'),
  installation('migrate', 'migrate the database schema to this version', 'migrateDatabase'),
  purge('purge', 'delete what is past its retention, or all about one person'),
  demo('demo', 'take a tour in under a minute'),
]
