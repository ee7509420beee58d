import type { Exchange } from '../../src/sandbox/ledger.ts'
import type { OperationName } from '../../src/sandbox/operations.ts'
import type { BookedCharge } from '../../src/sandbox/records.ts'
import { type SandboxProcess, startSandboxProcess } from '../support/sandbox-process.ts'

/** The registry's own records: the evidence of the checker. */
export type Evidence = {
  counts: Record<OperationName, number>
  faults: Record<string, number>
  refusals: Record<string, number>
  charges: { total: number; analysis: number; cnh: number }
  requests: Exchange[]
  units: BookedCharge[]
}

export type Witness = SandboxProcess & {
  evidence(): Promise<Evidence>
  /** The same without the single requests. */
  summary(): Promise<Omit<Evidence, 'requests' | 'units'>>
}

export type WitnessOptions = { seed: number; journal: string; readyAfterMs?: number; forgetful?: boolean }

/** The registry, which testifies what was asked of it and what it charged. */
export const startWitness = async (options: WitnessOptions): Promise<Witness> => {
  const { seed, journal, readyAfterMs = 100, forgetful } = options
  const args = ['--seed', `${seed}`, '--journal', journal, '--ready-after', `${readyAfterMs}`]
  const sandbox = await startSandboxProcess(...args, '--ledger', forgetful ? 'summary' : 'full')
  const read = async (path: string) => (await fetch(`${sandbox.url}${path}`)).json() as Promise<Evidence>
  return {
    ...sandbox,
    evidence: () => read('/sandbox/ledger?full=1'),
    summary: () => read('/sandbox/ledger'),
  }
}
