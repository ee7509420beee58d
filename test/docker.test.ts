import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { loadSettings } from '../config/settings.ts'
import packageJson from '../package.json' with { type: 'json' }

// What can be known about the image and the fleet without a Docker engine.

const root = resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const instructions = read('Dockerfile')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
  .map((line) => ({ text: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1) }))
const compose = read('compose.yaml')

test('everything that is copied into the image exists and is sent to the engine', () => {
  const sent: string[] = read('.dockerignore').match(/(?<=^!).+$/gm) ?? []
  const copied = argumentsOf('COPY').filter((rest) => !rest.startsWith('--from'))
  const sources = copied.flatMap((rest) => rest.split(' ').slice(0, -1))
  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([])
  expect(sources.filter((source) => !sent.includes(source))).toEqual([])
})

test('the image runs the Node that the checks run on, and not as root', () => {
  const major = packageJson.devDependencies.node.split('.')[0]
  expect(argumentsOf('ARG')).toEqual([`NODE_IMAGE=node:${major}-slim`])
  expect(argumentsOf('USER')).toEqual(['node'])
})

test('every image of others may be given by its digest', () => {
  const stages = argumentsOf('FROM')
  expect(stages.filter((from) => /^\$\{NODE_IMAGE\}( AS \w+)?$/.test(from))).toEqual(stages)
  expect(compose).toMatch(/NODE_IMAGE: "\$\{NODE_IMAGE:-node:24-slim\}"/)
  expect(compose.match(/image: (?!vigia$|\$\{\w+_IMAGE:-).*/gm)).toBeNull()
})

test('commands are in exec form, so that signals reach the worker', () => {
  expect(JSON.parse(argumentsOf('ENTRYPOINT')[0]!)).toEqual(['node', packageJson.bin.vigia])
  expect(JSON.parse(argumentsOf('CMD')[0]!)).toEqual(['worker'])
})

test.each([
  [200, 0],
  [503, 1],
])('the health check turns %i into exit code %i', async (status, exitCode) => {
  const server = createServer((req, res) => res.writeHead(req.url === '/healthz' ? status : 404).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  expect(await runHealthCheck(port)).toBe(exitCode)
  server.close()
})

test('the health check fails where nothing listens', async () => {
  expect(await runHealthCheck(1)).toBe(1)
})

test('the fleet is PostgreSQL 18 and two workers that have time to drain', () => {
  expect(compose).toMatch(/image: \$\{POSTGRES_IMAGE:-postgres:18\}$/m)
  expect(compose.match(/^ {2}worker-\d:/gm)).toHaveLength(2)
  expect(compose).toMatch(/stop_grace_period: 40s/)
  expect(compose).not.toMatch(/\t/)
})

test('every secret of the fleet is a file that is declared once and used', () => {
  const declared = [...compose.matchAll(/^ {2}(\w+): \{ file: \.\/secrets\/(\w+) \}$/gm)]
  expect(declared.map(([, name]) => name)).toEqual(declared.map(([, , file]) => file))
  const used = new Set([...compose.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name))
  expect([...used].sort()).toEqual(declared.map(([, name]) => name).sort())
})

test('the settings of the fleet are settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigia-compose-'))
  const block = /environment: &environment\n((?: {6}.*\n)+)/.exec(compose)![1]!
  const names = [...block.matchAll(/^ {6}(\w+):/gm)].map(([, name]) => name!)
  const env = Object.fromEntries(names.map((name) => [name, valueFor(name, folder)]))
  const settings = loadSettings(env)
  expect(settings.organizations).toHaveLength(1)
  expect(settings).toMatchObject({ databaseUrl: expect.any(String), registry: { token: expect.any(String) } })
  rmSync(folder, { recursive: true })
})

const argumentsOf = (text: string): string[] =>
  instructions.filter((instruction) => instruction.text === text).map(({ rest }) => rest)

const runHealthCheck = (port: number): Promise<number | string | null | undefined> => {
  const [, command] = /CMD (\[.*\])$/.exec(argumentsOf('HEALTHCHECK')[0]!)!
  const [, ...args] = JSON.parse(command!) as string[]
  const env = { ...process.env, PORT: String(port) }
  return new Promise((ended) => {
    execFile(process.execPath, args, { env }, (error) => ended(error ? error.code : 0))
  })
}

const valueFor = (name: string, folder: string): string => {
  if (name === 'REGISTRY_URL') return 'https://registry.example'
  if (name.endsWith('_ID')) return '1'
  if (!name.endsWith('_FILE')) return 'info'
  const file = join(folder, name)
  writeFileSync(file, name.startsWith('DATABASE') ? 'postgres://vigia:x@database:5432/vigia\n' : 'secret\n')
  return file
}
