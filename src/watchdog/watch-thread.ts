import { workerData } from 'node:worker_threads'
import { readStack, type Standing } from './read-stack.ts'
import { beatAt, type Watched, watchedAt } from './signs.ts'
import { createStillness } from './stillness.ts'

/** The thread that watches the main one; it has an event loop of its own, and writes to stderr past the other. */
const { signs, stillMs, pretty } = workerData as Watched
const everyMs = Math.min(1_000, stillMs / 10)
const stillFor = createStillness(everyMs)

const looking = setInterval(() => {
  const still = stillFor(Atomics.load(signs, beatAt), performance.now())
  if (still < stillMs || Atomics.load(signs, watchedAt) === 1) return
  clearInterval(looking)
  void tellAndEnd(still)
}, everyMs)

async function tellAndEnd(stillForMs: number): Promise<void> {
  const standing = await readStack(5_000).catch(() => null)
  // Read only now: for as long as all is well the thread stays small.
  const { createLog } = await import('../log/log.ts')
  const log = createLog({ level: 'fatal', pretty })
  const facts = { stillSeconds: Math.round(stillForMs / 1_000), stack: standing?.stack ?? 'not in JavaScript' }
  log.fatal(facts, 'the event loop stands still: the process ends, so that it can be started anew')
  end(standing)
}

/** The kernel keeps the first process of a container from killing itself; that one can only be made to leave. */
function end(standing: Standing | null): void {
  if (process.pid === 1) standing?.exit(1)
  else process.kill(process.pid, 'SIGKILL')
}
