import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { plainJson } from '../views/fields.ts'

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
  /** What each command line does. */
  examples: Readonly<Record<string, string>>
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

/** What a command may use. It never touches the process directly, so a test can call it with its own streams. */
export type CommandContext = Outside & {
  /** Whether stdout must hold one JSON document and nothing else. */
  json: boolean
  /** Prints the result of the command, as JSON or for people. */
  print(answer: unknown, forPeople: () => string): void
}

export type Outside = {
  env: Record<string, string | undefined>
  /** Where a person answers; absent if nobody can be asked. */
  stdin?: Readable & { isTTY?: boolean }
  stdout: Terminal
  stderr: Terminal
  /** Aborted by the first Ctrl-C or SIGTERM; a second one ends the process at once. */
  signal: AbortSignal
}

type Terminal = Writable & { isTTY?: boolean; columns?: number }

export const commandContext = (outside: Outside, json: boolean): CommandContext => {
  const print = (answer: unknown, forPeople: () => string) => {
    outside.stdout.write(`${json ? JSON.stringify(answer, plainJson, 2) : asCalled(forPeople(), outside.env)}\n`)
  }
  return { ...outside, json, print }
}

/**
 * Writes the commands in a text so that the reader can paste them: `npx vigia` in a checkout, where no `vigia` is on the
 * PATH. The folder that npm adds to the PATH for one call does not count.
 */
export const asCalled = (text: string, env: Record<string, string | undefined>): string =>
  programName(env) === 'vigia' ? text : text.replaceAll(hints, '$1npx vigia ')

export const programName = ({ PATH }: Record<string, string | undefined>): 'vigia' | 'npx vigia' => {
  if (PATH === undefined) return 'vigia'
  const folders = PATH.split(delimiter).filter((folder) => folder !== '' && !/node_modules[\\/]\.bin$/.test(folder))
  return folders.some((folder) => existsSync(join(folder, 'vigia'))) ? 'vigia' : 'npx vigia'
}

/** A command is in backticks or quotes, or after the prompt of an example. */
const hints = /([`']|\$ (?:\w+=\S+ )?)vigia (?=[A-Za-z-])/g

/** The name in the audit log for actions on the command line. */
export const whoCalls = (): string => {
  try {
    return `${userInfo().username} (cli)`
  } catch {
    // A container may run under a user id that has no name.
    return 'cli'
  }
}
