import assert from 'node:assert/strict'
import { chown, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../src/home/free-port.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { startEmbedded } from '../../src/store/embedded/start-embedded.ts'
import { cpfs, csvOf } from '../support/documents.ts'
import { registryEnvironment } from '../support/registry-environment.ts'
import { until } from '../support/until.ts'
import { type Container, type ImageConfig, type Started, start } from './container.ts'

/** Processes a file in a built image, as its ordinary user on a read-only root: `try.ts TREE IMAGE.json FOLDER`. */
const [tree = '', inspected = '', folder = ''] = process.argv.slice(2)
const image = (JSON.parse(await readFile(inspected, 'utf8')) as { OCIv1: { config: ImageConfig } }).OCIv1.config
const volume = join(folder, 'volume')
const owner = Number((await readFile(join(tree, 'etc/passwd'), 'utf8')).match(/^node:[^:]*:(\d+)/m)?.[1])
const rows = 30

await mkdir(volume, { recursive: true })
await chown(volume, owner, owner)
await using stack = new AsyncDisposableStack()
const server = await startEmbedded({ home: folder, settings: { fsync: 'off' } })
stack.defer(() => server.release())
const sandbox = stack.use(await startSandbox({ readyAfterMs: 0 }))
const env = {
  DATABASE_URL: server.url,
  ...registryEnvironment(sandbox),
  HOST: '127.0.0.1',
  PORT: String(await freePort()),
}
const container: Container = { tree, image, volume, env }

await refusesToWrite()
await succeed('migrate')
await succeed('doctor')
const worker = start(container, image.Cmd)
stack.defer(() => void worker.child.kill('SIGKILL'))
await untilHealthy(worker)
await isOrdinary(worker)
await drop('clientes.csv', csvOf(cpfs(rows)))
const report = await until(findReport, 120_000)
assert.equal(report.match(/;ok;/g)?.length, rows, report)
await stopsInTime(worker)
console.log(
  `migrate, doctor, ${rows} rows through a worker and SIGTERM: the image works, as ${image.User}, on a read-only root`,
)

async function succeed(...args: string[]): Promise<void> {
  const { exitCode, output } = await start(container, args).ended
  assert.equal(exitCode, 0, `${args.join(' ')} ended with ${exitCode}:\n${output}`)
}

async function refusesToWrite(): Promise<void> {
  const writer = { ...image, Entrypoint: ['node', '-e', `require('fs').writeFileSync('/app/trace', '')`] }
  const { output } = await start({ ...container, image: writer }, []).ended
  assert.match(output, /EROFS/, 'the root is not read-only')
}

async function untilHealthy({ child, ended }: Started): Promise<void> {
  const healthy = async () => (await fetch(`http://127.0.0.1:${env.PORT}/healthz`).catch(() => null))?.ok
  await until(async () => child.exitCode !== null || healthy(), 60_000)
  if (child.exitCode !== null) assert.fail(`the worker ended:\n${(await ended).output}`)
}

async function isOrdinary({ child }: Started): Promise<void> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  assert.match(status, new RegExp(`^Uid:\\t${owner}\\t${owner}\\t${owner}\\t`, 'm'))
  assert.match(status, /^CapEff:\t0+$/m)
}

/** Under a name that is ignored at first, as everybody who copies a file into the folder should do it. */
async function drop(name: string, text: string): Promise<void> {
  const path = join(volume, 'inbox', name)
  await writeFile(`${path}.part`, text)
  await chown(`${path}.part`, owner, owner)
  await rename(`${path}.part`, path)
}

async function findReport(): Promise<string | undefined> {
  const files = await readdir(join(volume, 'outbox'), { recursive: true })
  const found = files.find((file) => file.endsWith('.report.csv'))
  return found && readFile(join(volume, 'outbox', found), 'utf8')
}

async function stopsInTime({ child, ended }: Started): Promise<void> {
  const from = performance.now()
  child.kill('SIGTERM')
  const { exitCode, output } = await ended
  assert.equal(exitCode, 0, output)
  assert.ok(performance.now() - from < 30_000, 'the worker took longer than it may to drain')
}
