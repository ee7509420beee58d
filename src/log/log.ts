import { createRequire } from 'node:module'
import { type DestinationStream, destination, type LogFn, type Logger, pino } from 'pino'
import { isReadOnly } from '../domain/read-only.ts'
import { maskLine } from './mask.ts'

export type { Logger } from 'pino'

const require = createRequire(import.meta.url)

/** Writes JSON lines to stderr, or readable lines if stderr is a terminal. Everything written is masked. */
export const createLog = (options: { level: string; pretty?: boolean; stream?: DestinationStream }): Logger => {
  // Synchronous: a line about a crash must not be lost in a buffer.
  const stream = options.stream ?? destination({ dest: 2, sync: true })
  const readable = options.pretty ?? (!options.stream && process.stderr.isTTY === true)
  const settings = { level: options.level, hooks: { streamWrite: maskLine, logMethod: logReadOnlyOnce() } }
  return pino(settings, readable ? forPersons(stream) : stream)
}

/** Loaded only if needed: it takes as long to load as a tenth of a command. */
const forPersons = (stream: DestinationStream): DestinationStream => {
  const { isColorSupported, prettyFactory } = require('pino-pretty') as typeof import('pino-pretty')
  const format = prettyFactory({ colorize: isColorSupported, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' })
  return { write: (line) => stream.write(format(line)) }
}

/**
 * While the server is read-only, every write fails, several times a second. One line reports it, and the next one follows
 * only after 30 seconds without such a failure. The level `debug` shows each failure.
 */
const logReadOnlyOnce = (now = () => performance.now()) => {
  let lastAt = Number.NEGATIVE_INFINITY
  return function (this: Logger, args: Parameters<LogFn>, method: LogFn) {
    const [facts] = args as [unknown]
    const isNews = typeof facts !== 'object' || facts === null || !('err' in facts) || !isReadOnly(facts.err)
    if (isNews || this.isLevelEnabled('debug')) {
      method.apply(this, args)
    } else {
      if (now() - lastAt > quietMs) this.warn('the database is read-only: waiting for one that accepts writes')
      lastAt = now()
    }
  }
}

const quietMs = 30_000
