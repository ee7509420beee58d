import { type Debugger, Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import { createStillness, heartbeatAt, type Watched, watchedAt } from './stillness.ts'

/** The thread that watches the main one; it has an event loop of its own, and writes to stderr past the other. */
const { signs, stillMs, pretty } = workerData as Watched
const everyMs = Math.min(1_000, stillMs / 10)
const stillFor = createStillness(everyMs)

const looking = setInterval(() => {
  const still = stillFor(Atomics.load(signs, heartbeatAt), performance.now())
  if (still < stillMs || Atomics.load(signs, watchedAt) === 1) return
  clearInterval(looking)
  void reportAndExit(still)
}, everyMs)

const reportAndExit = async (stillForMs: number): Promise<void> => {
  const standing = await readStack(5_000).catch(() => null)
  // Read only now: for as long as all is well the thread stays small.
  const { createLog } = await import('../log/log.ts')
  const log = createLog({ level: 'fatal', pretty })
  const facts = { stillSeconds: Math.round(stillForMs / 1_000), stack: standing?.stack ?? 'not in JavaScript' }
  log.fatal(facts, 'the event loop stands still: the process ends, so that it can be started anew')
  end(standing)
}

/** The kernel keeps the first process of a container from killing itself; that one can only be made to leave. */
const end = (standing: Standing | null): void => {
  if (process.pid === 1) standing?.exit(1)
  else process.kill(process.pid, 'SIGKILL')
}

/** What stands on the main thread, innermost first, and a way to end the process from there. */
type Standing = { stack: string[]; exit(code: number): void }

/** Stops the main thread and reads where it is; null where it does not run any JavaScript, as in a call of the system. */
const readStack = (timeoutMs: number): Promise<Standing | null> =>
  new Promise((resolve) => {
    const session = new Session()
    const scripts = new Map<string, string>()
    session.connectToMainThread()
    session.on('Debugger.scriptParsed', ({ params }) => void scripts.set(params.scriptId, params.url))
    session.on('Debugger.paused', ({ params: { callFrames } }) => {
      const stack = callFrames.map((frame) => lineOf(frame, scripts.get(frame.location.scriptId)))
      resolve({ stack, exit: (code) => exitFrom(session, callFrames[0], code) })
    })
    session.post('Debugger.enable')
    session.post('Debugger.pause')
    setTimeout(() => resolve(null), timeoutMs)
  })

const lineOf = ({ functionName, location }: Debugger.CallFrame, url = ''): string =>
  `${functionName || '(anonymous)'} (${url}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1})`

/** Leaves at once: what would run at an ordinary exit waits for the loop that stands still. */
const exitFrom = (session: Session, frame: Debugger.CallFrame | undefined, code: number): void => {
  const expression = `process.reallyExit(${code})`
  if (frame) session.post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression })
}
