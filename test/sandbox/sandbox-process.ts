import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { accounts, credentials } from '../../src/sandbox/tokens.ts'
import { callsTo } from './ask.ts'

const main = resolve(import.meta.dirname, '../../src/sandbox/main.ts')

/** The sandbox as a separate process, ready to be killed. */
export const startProcess = async (...args: string[]) => {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url } = JSON.parse(line) as { url: string }
  const end = (signal: NodeJS.Signals) => endOf(child, signal)
  const calls = callsTo(url, { account: accounts[0], token: credentials.token })
  return { url, end, ...calls, [Symbol.asyncDispose]: async () => void (await end('SIGKILL')) }
}

const endOf = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode
  child.kill(signal)
  const [code, by] = await once(child, 'exit')
  return code ?? by
}
