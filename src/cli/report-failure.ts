import { styleText } from 'node:util'
import { CommanderError } from 'commander'
import { maskLine } from '../log/mask.ts'
import { asCalled, type Outside } from './command.ts'

type FailedCall = { outside: Outside; complaints: readonly string[]; json: boolean }

/** Prints what went wrong, without documents or tokens, and returns the exit code. */
export const reportFailure = async (error: unknown, call: FailedCall): Promise<number> => {
  if (error instanceof CommanderError) return reportUsage(error, call)
  const { outside, json } = call
  const { stderr, env } = outside
  const exitCode = exitCodeOf(error)
  const message = maskLine(asCalled(messageOf(error), env))
  if (json) writeJson(outside, message, exitCode ?? 1)
  stderr.write(`${styleText('red', 'error:', { stream: stderr })} ${message}\n`)
  if (/^(debug|trace)$/.test(env.LOG_LEVEL ?? '')) stderr.write(`${maskLine(stackOf(error))}\n`)
  else if (exitCode === undefined) stderr.write(notForeseen)
  return exitCode ?? 1
}

const notForeseen = 'This is an unexpected error. Run the same command with LOG_LEVEL=debug to see where it happened.\n'

const reportUsage = (error: CommanderError, { outside, complaints, json }: FailedCall): number => {
  outside.stderr.write(maskLine(complaints.join('')))
  if (json) writeJson(outside, maskLine(error.message.replace(/^error: /, '')), 2)
  return 2
}

/** Undefined for an unexpected error; the message of any other error is written for a person. */
const exitCodeOf = (error: unknown): number | undefined => {
  const code = (error as { exitCode?: unknown } | null)?.exitCode
  return typeof code === 'number' ? code : undefined
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error))

const stackOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`
  return `${error.stack}${cause}`
}

const writeJson = ({ stdout }: Outside, message: string, exitCode: number): void => {
  stdout.write(`${JSON.stringify({ error: { message, exitCode } }, null, 2)}\n`)
}
