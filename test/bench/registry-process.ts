import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'

export type RegistryProcess = AsyncDisposable & { url: string }

const program = resolve(import.meta.dirname, '../../src/sandbox/main.ts')

/** A separate sandbox for each side of a round: no side sees the records of the other, or shares its core by threads. */
export const startRegistry = async (scenario: ScenarioPatch = {}): Promise<RegistryProcess> => {
  const args = [program, '--port', '0', '--ledger', 'summary', '--ready-after', '0']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { done, value: line } = await lines.next()
  if (done) throw new Error('The sandbox ended before it listened')
  const { url } = JSON.parse(line) as { url: string }
  if (Object.keys(scenario).length > 0) {
    const answer = await fetch(`${url}/sandbox/scenario`, { method: 'POST', body: JSON.stringify(scenario) })
    if (!answer.ok) throw new Error(`The sandbox refused the scenario: ${await answer.text()}`)
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
