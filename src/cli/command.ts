import type { CommandContext } from './context.ts'

/** An entry of the command table; its file is loaded only if the command is called. */
export type CommandEntry = { name: string; summary: string; load(): Promise<CommandDefinition | CommandGroup> }

/** A group of commands, such as `radars list` and `radars sync`; the group may be a command too, as `rules` is. */
export type CommandGroup = { commands: readonly CommandEntry[]; alone?: CommandDefinition }

/** The arguments, options and action of a command. */
export type CommandDefinition<Options = Record<string, unknown>> = {
  /** `<file>` is required, `[file]` is optional, `<file...>` takes several. */
  arguments?: readonly { name: string; about: string }[]
  options?: readonly {
    flags: string
    about: string
    parse?(text: string, before?: unknown): unknown
    default?: unknown
  }[]
  examples: readonly { line: string; about: string }[]
  /** Returns the exit code: 0 done, 1 failed, 2 wrong usage or settings, 3 finished with rows that got no answer. */
  run(context: CommandContext, args: string[], options: Options): Promise<number>
}

/** The command failed for a reason that a person understands without a stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode = 1
}

/** The command was called in a wrong way; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly exitCode = 2
}
