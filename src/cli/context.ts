import type { Readable, Writable } from 'node:stream'
import { asCalled } from './as-called.ts'

/** What a command may touch: nothing of the process directly, so that a test can call it with streams of its own. */
export type CommandContext = Outside & {
  /** Whether stdout is for a machine: one JSON document and nothing else. */
  json: boolean
  /** Prints the one answer of the command, as JSON or for people. */
  print(answer: unknown, forPeople: () => string): void
}

export type Outside = {
  env: Record<string, string | undefined>
  /** Where a person answers; absent where nobody can be asked. */
  stdin?: Readable & { isTTY?: boolean }
  stdout: Terminal
  stderr: Terminal
  /** Aborted by the first Ctrl-C or SIGTERM; a second one ends the process at once. */
  signal: AbortSignal
}

type Terminal = Writable & { isTTY?: boolean; columns?: number }

export function commandContext(outside: Outside, json: boolean): CommandContext {
  const print = (answer: unknown, forPeople: () => string) => {
    outside.stdout.write(`${json ? JSON.stringify(answer, plainJson, 2) : asCalled(forPeople(), outside.env)}\n`)
  }
  return { ...outside, json, print }
}

/** JSON has no big integers; ids and cents beyond 2^53 keep all their digits as text. */
function plainJson(_key: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
}
