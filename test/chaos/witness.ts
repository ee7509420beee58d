import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Exchange } from '../../src/sandbox/ledger.ts'
import type { OperationName } from '../../src/sandbox/operations.ts'
import type { BookedCharge } from '../../src/sandbox/records.ts'
import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'

const program = resolve(import.meta.dirname, '../../src/sandbox/main.ts')

/** The registry's own records: the evidence of the checker. */
export type Evidence = {
  counts: Record<OperationName, number>
  faults: Record<string, number>
  refusals: Record<string, number>
  charges: { total: number; analysis: number; cnh: number }
  inFlight: number
  maxInFlight: number
  requests: Exchange[]
  units: BookedCharge[]
}

export type SandboxProcess = AsyncDisposable & {
  url: string
  set(scenario: ScenarioPatch): Promise<void>
  /** Any other control of the sandbox, such as `/sandbox/radar`. */
  post(path: string, body: unknown): Promise<void>
  evidence(): Promise<Evidence>
  /** The same without the single requests. */
  summary(): Promise<Omit<Evidence, 'requests' | 'units'>>
  /** Another registry with the same records so far; later events in one do not affect the other. */
}

export type SandboxOptions = { seed: number; journal: string; readyAfterMs?: number; forgetful?: boolean }

/** The registry as a separate process: no crash of a worker can affect its records. */
export const startSandboxProcess = async (options: SandboxOptions): Promise<SandboxProcess> => {
  const { seed, journal, readyAfterMs = 100, forgetful } = options
  const args = ['--port', '0', '--seed', `${seed}`, '--journal', journal, '--ready-after', `${readyAfterMs}`]
  if (forgetful) args.push('--ledger', 'summary')
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url } = JSON.parse(line) as { url: string }
  const read = async (path: string) => (await fetch(`${url}${path}`)).json()
  const post: SandboxProcess['post'] = async (path, body) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`The sandbox refused ${path}: ${await answer.text()}`)
  }
  return {
    url,
    post,
    set: (scenario) => post('/sandbox/scenario', scenario),
    evidence: () => read('/sandbox/ledger?full=1') as Promise<Evidence>,
    summary: () => read('/sandbox/ledger') as Promise<Evidence>,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
