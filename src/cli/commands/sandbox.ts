import { once } from 'node:events'
import { parseDuration } from '../../domain/duration.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { loadScenario, ScenarioError } from '../../sandbox/scenario.ts'
import type { CommandDefinition } from '../command.ts'
import { CommandFailure, UsageError } from '../command.ts'
import { integerOption } from '../options.ts'

type Options = {
  port: number
  scenario?: ReturnType<typeof loadScenario>
  seed: number
  readyAfter: number
  journal?: string
}

/** Runs a local registry until Ctrl-C; it charges no real money. */
export const sandbox: CommandDefinition<Options> = {
  options: [
    { ...integerOption('--port <n>', 'port to listen on; 0 takes a free one', 0, 65_535), default: 4010 },
    {
      flags: '--scenario <file>',
      about: 'faults to simulate: a JSON file, or the name of a preset',
      parse: readScenario,
    },
    { ...integerOption('--seed <n>', 'seed of its data and faults', 0), default: 1 },
    {
      flags: '--ready-after <duration>',
      about: 'how long an analysis takes, such as 5s; the default is in ms',
      parse: readDuration,
      default: 1500,
    },
    { flags: '--journal <file>', about: 'file that keeps its records over a restart' },
  ],
  examples: {
    'vigia sandbox': 'Start it on http://127.0.0.1:4010',
    'vigia sandbox --port 0 --json': 'Start it on a free port, and print its address as JSON',
  },

  async run(context, _args, { readyAfter, ...options }) {
    await using running = await start({ ...options, readyAfterMs: readyAfter })
    const { url, accounts, credentials } = running
    context.print({ url, accounts, credentials }, () => welcome(running))
    if (!context.signal.aborted) await once(context.signal, 'abort')
    return 0
  },
}

const start = async (options: Parameters<typeof startSandbox>[0] & { port: number }): Promise<Sandbox> => {
  try {
    return await startSandbox(options)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    throw new CommandFailure(`port ${options.port} is in use; choose another with --port, or --port 0 for a free one`, {
      cause,
    })
  }
}

const welcome = ({ url, account, credentials }: Sandbox) => `The registry listens on ${url}; Ctrl-C stops it.

To use it from another terminal:
  export REGISTRY_URL=${url}
  export REGISTRY_TOKEN=${credentials.token} REGISTRY_REFRESH_TOKEN=${credentials.refreshToken}
  export REGISTRY_EMAIL=${credentials.email} REGISTRY_USERNAME=${credentials.username}
  export REGISTRY_ORGANIZATION_ID=${account.organizationId} REGISTRY_HOLDER_ID=${account.holderId} REGISTRY_PLAN_ID=${account.planId}

Its calls and what it charged: ${url}/sandbox/ledger
Its 12 operations (OpenAPI):   ${url}/openapi.json`

function readScenario(nameOrFile: string) {
  return readValue('', ScenarioError, () => loadScenario(nameOrFile))
}

function readDuration(text: string): number {
  return readValue('--ready-after: ', Error, () => parseDuration(text))
}

function readValue<Value>(option: string, wrong: abstract new (...given: never[]) => Error, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof wrong) throw new UsageError(`${option}${cause.message}`, { cause })
    throw cause
  }
}
