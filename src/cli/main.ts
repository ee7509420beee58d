import { Command, CommanderError, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { asCalled, type CommandDefinition, type CommandEntry, commandContext, type Outside } from './command.ts'
import { commandTable } from './command-table.ts'

/** Runs one command line and returns its exit code; throws nothing. */
export const main = async (argv: string[], outside = outsideOf(process), table = commandTable): Promise<number> => {
  const args = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
  const call: Call = { outside, complaints: [], exitCode: 0 }
  try {
    const program = openProgram(call)
    await addCommands(program, table, args, call)
    await program.parseAsync(args, { from: 'user' })
    return call.exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const { reportFailure } = await import('./report-failure.ts')
    return reportFailure(error, { ...call, json: args.includes('--json') })
  }
}

/** `complaints` are the errors of commander. They may repeat a document, so they are masked before they are printed. */
type Call = { outside: Outside; complaints: string[]; exitCode: number }

const openProgram = ({ outside: { stdout, stderr, env }, complaints }: Call): Command =>
  new Command('vigia')
    .description('Looks up documents in a paid registry: every row comes back, nothing is paid for twice.')
    .version(packageJson.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help for vigia or one of its commands')
    .helpCommand(false)
    .usage('COMMAND [options]')
    .configureOutput({
      writeOut: (text) => stdout.write(asCalled(text, env)),
      writeErr: (text) => complaints.push(asCalled(text, env)),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .showHelpAfterError('Run `vigia --help` to list the commands.')
    .addHelpText('after', `\n${exitCodes}\nRun \`vigia COMMAND --help\` for its options and examples.`)

const exitCodes = `Exit codes:
  0  done
  1  failed
  2  wrong usage or settings
  3  finished, but some rows did not get an answer
  130, 143  stopped by Ctrl-C or SIGTERM; what was paid for is kept
`

/** Adds every command, and loads the file of the one that was called. */
const addCommands = async (parent: Command, entries: readonly CommandEntry[], args: string[], call: Call) => {
  const called = args.find((arg) => !arg.startsWith('-'))
  for (const { name, summary, load } of entries) {
    const command = parent.command(name).description(summary).helpOption('-h, --help', 'print this help')
    if (name !== called) continue
    const loaded = await load()
    if ('commands' in loaded) {
      command.showHelpAfterError(`Run \`${nameOf(command)} --help\` for its commands.`)
      if (loaded.alone) define(command, loaded.alone, call)
      await addCommands(command, loaded.commands, args.slice(args.indexOf(name) + 1), call)
    } else define(command, loaded, call)
  }
}

function define(command: Command, definition: CommandDefinition, call: Call): void {
  for (const { name, about } of definition.arguments ?? []) command.argument(name, about)
  for (const { flags, about, parse, default: value } of definition.options ?? []) {
    const option = new Option(flags, about)
    if (value !== undefined) option.default(value)
    if (parse) option.argParser(parse)
    command.addOption(option)
  }
  const examples = Object.entries(definition.examples).map(([line, about]) => `${about}:\n  $ ${line}`)
  command
    .option('--json', 'print one JSON document, for machines')
    .addHelpText('after', `\n${examples.join('\n')}`)
    .showHelpAfterError(`Run \`${nameOf(command)} --help\` for its usage.`)
    .action(async () => {
      // A group that is a command too consumes `--json` before its subcommand does.
      const { json = false, ...options } = command.optsWithGlobals()
      call.exitCode = await definition.run(commandContext(call.outside, json), command.args, options)
    })
}

const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

/** The real process: its streams, its environment, and its signals as an `AbortSignal`. */
const outsideOf = (process: NodeJS.Process): Outside => {
  const stopping = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
    stopping.abort(signal)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // `vigia batches | head -1`: the reader closed the pipe, which is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const { env, stdin, stdout, stderr } = process
  return { env, stdin, stdout, stderr, signal: stopping.signal }
}
