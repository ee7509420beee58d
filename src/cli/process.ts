import type { Outside } from './context.ts'

/** The real process: its streams, its environment, and its signals as an `AbortSignal`. */
export function outsideOf(process: NodeJS.Process): Outside {
  const stopping = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
    stopping.abort(signal)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // `vigia batches | head -1`: the reader has seen enough, which is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const { env, stdin, stdout, stderr } = process
  return { env, stdin, stdout, stderr, signal: stopping.signal }
}
