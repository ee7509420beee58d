import { apart } from '../apart.ts'
import type { Line } from '../line.ts'
import { startRegistry } from '../registry-process.ts'

const open = 50

export const clientCalls: Line = {
  name: 'client',
  what: 'registry client ÷ bare pool.request, 50 open',
  unit: 'calls/s',
  goal: { atLeast: 0.85 },

  async round({ sizes }) {
    const limit = await callsPerSecond('bare-calls', sizes.lookups)
    const vigia = await callsPerSecond('client-calls', sizes.lookups)
    return { limit, vigia }
  },
}

const callsPerSecond = async (task: string, documents: number): Promise<number> => {
  await using registry = await startRegistry()
  const { seconds } = await apart<{ seconds: number }>(task, { registryUrl: registry.url, open, documents })
  return (2 * documents) / seconds
}
