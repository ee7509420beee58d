import { type Debugger, Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import { createStillness, heartbeatAt, type Watched, watchedAt } from './start-watchdog.ts'

/** The thread that watches the main one; it has its own event loop, and writes to stderr directly. */
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
  // Loaded only now, so that the thread stays small while all is well.
  const { createLog } = await import('../log/log.ts')
  const log = createLog({ level: 'fatal', pretty })
  const facts = { stillSeconds: Math.round(stillForMs / 1_000), stack: standing?.stack ?? 'not in JavaScript' }
  log.fatal(facts, 'the event loop is blocked: the process exits so that it can be restarted')
  end(standing)
}

/** The kernel keeps the first process of a container from killing itself; that one must exit by itself. */
const end = (standing: Standing | null): void => {
  if (process.pid === 1) standing?.exit(1)
  else process.kill(process.pid, 'SIGKILL')
}

/** The stack of the main thread, innermost frame first, and a way to end the process from there. */
type Standing = { stack: string[]; exit(code: number): void }

/** Stops the main thread and reads its stack; null if it runs no JavaScript, as in a system call. */
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

/** Exits at once: the handlers of an ordinary exit would wait for the blocked event loop. */
const exitFrom = (session: Session, frame: Debugger.CallFrame | undefined, code: number): void => {
  const expression = `process.reallyExit(${code})`
  if (frame) session.post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression })
}
