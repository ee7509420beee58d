import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'

const program = resolve(import.meta.dirname, '../../src/sandbox/main.ts')

export type SandboxProcess = AsyncDisposable & {
  url: string
  /** Sets faults; any other control of the sandbox has a path such as `/sandbox/radar`. */
  set(scenario: ScenarioPatch): Promise<void>
  post(path: string, body: unknown): Promise<void>
  /** Ends it, and returns its exit code or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

/** The sandbox as a separate process: it shares no core by threads, and no crash of another can affect its records. */
export const startSandboxProcess = async (...args: string[]): Promise<SandboxProcess> => {
  const child = spawn(process.execPath, [program, '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const listens = once(createInterface({ input: child.stdout }), 'line')
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('The sandbox ended before it listened')))
  gone.catch(() => {})
  const [line] = await Promise.race([listens, gone])
  const { url } = JSON.parse(line) as { url: string }
  const post: SandboxProcess['post'] = async (path, body) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`The sandbox refused ${path}: ${await answer.text()}`)
  }
  const end: SandboxProcess['end'] = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode
    child.kill(signal)
    const [code, by] = await once(child, 'exit')
    return code ?? by
  }
  const set = (scenario: ScenarioPatch) => post('/sandbox/scenario', scenario)
  return { url, post, set, end, [Symbol.asyncDispose]: async () => void (await end('SIGKILL')) }
}
