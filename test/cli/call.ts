import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { CommandEntry } from '../../src/cli/command.ts'
import { main } from '../../src/cli/main.ts'

/** Calls the command line in this process, with its own streams; its standard input is not a terminal. */
export const call = async (
  args: string[],
  env: Record<string, string> = {},
  table?: readonly CommandEntry[],
  typed?: string,
) => {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const { signal } = new AbortController()
  const stdin = typed === undefined ? undefined : Readable.from([typed])
  const exitCode = await main(args, { env, stdout, stderr, signal, ...(stdin && { stdin }) }, table)
  stdout.end()
  stderr.end()
  return { exitCode, stdout: await text(stdout), stderr: await text(stderr) }
}
