import type { ScenarioPatch } from '../../src/sandbox/scenario.ts'
import { type SandboxProcess, startSandboxProcess } from '../support/sandbox-process.ts'

/** A separate sandbox for each side of a round: no side sees the records of the other. */
export const startRegistry = async (scenario: ScenarioPatch = {}): Promise<SandboxProcess> => {
  const registry = await startSandboxProcess('--ledger', 'summary', '--ready-after', '0')
  await registry.set(scenario)
  return registry
}
