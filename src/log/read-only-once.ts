import type { LogFn, Logger } from 'pino'
import { isReadOnly } from '../domain/read-only.ts'

const quietMs = 30_000

/**
 * While the server takes no writes, everything that writes fails, several times a second: one line says so, and again
 * only after half a minute of peace. Whoever wants the single failures asks for `debug`.
 */
export const tellReadOnlyOnce = (now = () => performance.now()) => {
  let lastAt = Number.NEGATIVE_INFINITY
  return function (this: Logger, args: Parameters<LogFn>, method: LogFn) {
    const [facts] = args as [unknown]
    const isNews = typeof facts !== 'object' || facts === null || !('err' in facts) || !isReadOnly(facts.err)
    if (isNews || this.isLevelEnabled('debug')) {
      method.apply(this, args)
    } else {
      if (now() - lastAt > quietMs) this.warn('the database is read-only: waiting for one that takes writes')
      lastAt = now()
    }
  }
}
