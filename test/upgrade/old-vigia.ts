import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export type OldWorker = { kill(): Promise<void>; stop(): Promise<void> }

/** A checkout of an older Vigia, controlled from outside: its own program and its own sandbox, as processes. */
export type OldVigia = {
  home: string
  journal: string
  /** The settings of the next command or worker, merged into those that all of them share. */
  settings(overlay: object): Promise<void>
  /** Runs one command to its end; returns the one JSON document that it prints. */
  vigia(...args: string[]): Promise<Record<string, unknown>>
  /** A command or worker that runs until it is ended. */
  start(...args: string[]): OldWorker
  /** A file on the caller's disk. */
  file(name: string, content: string | Buffer): Promise<string>
  startSandbox(): Promise<OldWorker>
  controlSandbox(path: string, body: object): Promise<void>
}

const port = 18_641
const sandboxUrl = `http://127.0.0.1:${port}`

export const openOldVigia = async (checkout: string, databaseUrl: string, folder: string): Promise<OldVigia> => {
  const home = join(folder, 'home')
  const drop = join(folder, 'drop')
  const configFile = join(folder, 'settings.json')
  const journal = join(folder, 'journal.jsonl')
  await mkdir(drop, { recursive: true })
  await writeFile(configFile, '{}')
  const env = { ...registryEnvironment, DATABASE_URL: databaseUrl, VIGIA_HOME: home, VIGIA_CONFIG: configFile }

  const launch = (program: string, args: string[]): ChildProcess => {
    const child = spawn(process.execPath, [join(checkout, program), ...args], {
      env: { ...env, PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' },
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const end = () => child.kill('SIGKILL')
    process.once('exit', end)
    child.once('exit', () => process.off('exit', end))
    return child
  }
  const start = (program: string, args: string[]): OldWorker => {
    const child = launch(program, args)
    child.stdout!.resume()
    const gone = once(child, 'exit')
    const end = (signal: 'SIGKILL' | 'SIGTERM') => async () => {
      child.kill(signal)
      await gone
    }
    return { kill: end('SIGKILL'), stop: end('SIGTERM') }
  }
  return {
    home,
    journal,
    settings: (overlay) => writeFile(configFile, JSON.stringify(overlay)),
    async vigia(...args) {
      const child = launch('src/cli/vigia.js', [...args, '--json'])
      const output = await text(child.stdout!)
      console.log(`vigia ${args.join(' ')}: ${output.slice(0, 160).replaceAll(/\s+/g, ' ')}`)
      const answer = JSON.parse(output)
      if (answer.error) throw new Error(`vigia ${args.join(' ')}: ${answer.error.message}`)
      return answer
    },
    start: (...args) => start('src/cli/vigia.js', args),
    async file(name, content) {
      await writeFile(join(drop, name), content)
      return join(drop, name)
    },
    async startSandbox() {
      const sandbox = start('src/sandbox/main.ts', ['--port', String(port), '--journal', journal, '--ready-after', '0'])
      while (!(await fetch(`${sandboxUrl}/sandbox/ledger`).catch(() => null))) await new Promise(setImmediate)
      return sandbox
    },
    async controlSandbox(path, body) {
      const reply = await fetch(`${sandboxUrl}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) })
      if (!reply.ok) throw new Error(`The sandbox refused ${path}: ${await reply.text()}`)
    },
  }
}

/** What the sandbox accepts from the start. */
const registryEnvironment = {
  REGISTRY_URL: sandboxUrl,
  REGISTRY_TOKEN: 'sandbox-access-1',
  REGISTRY_REFRESH_TOKEN: 'sandbox-refresh',
  REGISTRY_EMAIL: 'vigia@sandbox.invalid',
  REGISTRY_USERNAME: 'vigia',
  REGISTRY_ORGANIZATION_ID: '7001',
  REGISTRY_HOLDER_ID: '501',
  REGISTRY_PLAN_ID: '31',
  VIGIA_WEBHOOK_SECRET: 'a secret of the fixture alone',
}
