import { createRequire } from 'node:module'
import { type DestinationStream, destination, type LogFn, type Logger, pino } from 'pino'
import { isDatabaseGone, isReadOnly } from '../domain/database-gone.ts'
import { maskLine } from './mask.ts'

export type { Logger } from 'pino'

const require = createRequire(import.meta.url)

/** Writes JSON lines to stderr, or readable lines if stderr is a terminal. Everything written is masked. */
export const createLog = (options: { level: string; pretty?: boolean; stream?: DestinationStream }): Logger => {
  // Synchronous: a line about a crash must not be lost in a buffer.
  const stream = options.stream ?? destination({ dest: 2, sync: true })
  const readable = options.pretty ?? (!options.stream && process.stderr.isTTY === true)
  const settings = { level: options.level, hooks: { streamWrite: maskLine, logMethod: logDatabaseOnce() } }
  return pino(settings, readable ? forPersons(stream) : stream)
}

/** Loaded only if needed: it takes as long to load as a tenth of a command. */
const forPersons = (stream: DestinationStream): DestinationStream => {
  const { isColorSupported, prettyFactory } = require('pino-pretty') as typeof import('pino-pretty')
  const format = prettyFactory({ colorize: isColorSupported, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' })
  return { write: (line) => stream.write(format(line)) }
}

/**
 * While the server is gone or read-only, everything fails, many times a second. One line reports each of these states, and
 * the next one follows only after 30 seconds without such a failure. The level `debug` shows each failure.
 */
const logDatabaseOnce = (now = () => performance.now()) => {
  const lastAt = new Map<string, number>()
  return function (this: Logger, args: Parameters<LogFn>, method: LogFn) {
    const [facts] = args as [unknown]
    const state = typeof facts === 'object' && facts !== null && 'err' in facts ? stateIn(facts.err) : null
    if (state === null || this.isLevelEnabled('debug')) {
      method.apply(this, args)
    } else {
      if (now() - (lastAt.get(state) ?? Number.NEGATIVE_INFINITY) > quietMs) this.warn(state)
      lastAt.set(state, now())
    }
  }
}

const stateIn = (error: unknown): string | null => {
  if (isReadOnly(error)) return 'the database is read-only: waiting for one that accepts writes'
  return isDatabaseGone(error) ? 'the database cannot be reached: trying again' : null
}

const quietMs = 30_000
