import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { CommandEntry } from '../../src/cli/command.ts'
import { main } from '../../src/cli/main.ts'

/** Calls the command line in this process, with streams of its own. */
export async function call(words: string[], env: Record<string, string> = {}, table?: readonly CommandEntry[]) {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const { signal } = new AbortController()
  const exitCode = await main(words, { env, stdout, stderr, signal }, table)
  stdout.end()
  stderr.end()
  return { exitCode, stdout: await text(stdout), stderr: await text(stderr) }
}
