import { parseArgs } from 'node:util'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { loadScenario } from './scenario.ts'

/** The sandbox as a separate process: it writes one JSON line when it listens, and ends on SIGTERM or SIGINT. */
try {
  const sandbox = await startSandbox(optionsFrom(process.argv.slice(2)))
  endOnSignal(sandbox)
  console.log(JSON.stringify({ url: sandbox.url, account: sandbox.account, pid: process.pid }))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}

function optionsFrom(args: string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: { port: text, seed: text, scenario: text, journal: text, 'ready-after': text, ledger: text },
  })
  return {
    port: numberOf(values.port),
    seed: numberOf(values.seed),
    scenario: values.scenario === undefined ? undefined : loadScenario(values.scenario),
    journal: values.journal,
    readyAfterMs: numberOf(values['ready-after']),
    ledger: values.ledger === 'summary' ? ('summary' as const) : ('full' as const),
  }
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new Error(`expected a whole number, got ${text}`)
  return Number(text)
}

function endOnSignal(sandbox: Sandbox): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void sandbox.close().then(() => process.exit(0)))
}
