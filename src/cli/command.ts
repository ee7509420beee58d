import type { CommandContext } from './context.ts'

/** A line of the command table; the file behind `load` is read only when the command is the one that was called. */
export type CommandEntry = { name: string; summary: string; load(): Promise<CommandDefinition | CommandGroup> }

/** A word that groups others, such as `radars list` and `radars sync`; by itself it may be a command too, as `rules` is. */
export type CommandGroup = { commands: readonly CommandEntry[]; alone?: CommandDefinition }

/** What a command takes and what it does. */
export type CommandDefinition<Options = Record<string, unknown>> = {
  /** `<file>` is needed, `[file]` may be left out, `<file...>` takes several. */
  arguments?: readonly { name: string; about: string }[]
  options?: readonly {
    flags: string
    about: string
    parse?(text: string, before?: unknown): unknown
    default?: unknown
  }[]
  examples: readonly { line: string; about: string }[]
  /** Gives the exit code: 0 done, 1 failed, 2 wrong usage or settings, 3 finished with rows that got no answer. */
  run(context: CommandContext, args: string[], options: Options): Promise<number>
}

/** The command could not do its work, for a reason that a person understands without a stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode = 1
}

/** The command was called in a way that cannot work; the message says how it can. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly exitCode = 2
}
