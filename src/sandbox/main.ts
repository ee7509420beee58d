import { parseArgs } from 'node:util'
import { loadScenario } from './load-scenario.ts'
import { startSandbox } from './sandbox.ts'

/** The sandbox as its own process: one JSON line when it listens, gone on SIGTERM or SIGINT. */
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    seed: { type: 'string' },
    scenario: { type: 'string' },
    journal: { type: 'string' },
    'ready-after': { type: 'string' },
    ledger: { type: 'string' },
  },
})

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

const sandbox = await startSandbox({
  port: numberOf(values.port),
  seed: numberOf(values.seed),
  scenario: values.scenario === undefined ? undefined : loadScenario(values.scenario),
  journal: values.journal,
  readyAfterMs: numberOf(values['ready-after']),
  ledger: values.ledger === 'summary' ? 'summary' : 'full',
})

console.log(JSON.stringify({ url: sandbox.url, account: sandbox.account, pid: process.pid }))

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void sandbox.close().then(() => process.exit(0)))
