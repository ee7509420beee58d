import { type Debugger, Session } from 'node:inspector'

/** What stands on the main thread, innermost first, and a way to end the process from there. */
export type Standing = { stack: string[]; exit(code: number): void }

/** Stops the main thread and reads where it is; null where it does not run any JavaScript, as in a call of the system. */
export const readStack = (patienceMs: number): Promise<Standing | null> =>
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
    setTimeout(() => resolve(null), patienceMs)
  })

const lineOf = ({ functionName, location }: Debugger.CallFrame, url = ''): string =>
  `${functionName || '(anonymous)'} (${url}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1})`

/** Leaves at once: what would run at an ordinary exit waits for the loop that stands still. */
const exitFrom = (session: Session, frame: Debugger.CallFrame | undefined, code: number): void => {
  const expression = `process.reallyExit(${code})`
  if (frame) session.post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression })
}
