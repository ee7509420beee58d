import { parseArgs } from 'node:util'
import { startSandbox } from './sandbox.ts'
import { loadScenario } from './scenario.ts'

/** The sandbox as a separate process: it writes one JSON line when it listens, and ends on SIGTERM or SIGINT. */
try {
  const text = { type: 'string' } as const
  const options = { port: text, seed: text, scenario: text, journal: text, 'ready-after': text, ledger: text }
  const { values } = parseArgs({ options })
  const { url, account, close } = await startSandbox({
    port: numberOf(values.port),
    seed: numberOf(values.seed),
    scenario: values.scenario === undefined ? undefined : loadScenario(values.scenario),
    journal: values.journal,
    readyAfterMs: numberOf(values['ready-after']),
    ledger: values.ledger === 'summary' ? 'summary' : 'full',
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void close().then(() => process.exit(0)))
  console.log(JSON.stringify({ url, account, pid: process.pid }))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new Error(`expected a whole number, got ${text}`)
  return Number(text)
}
