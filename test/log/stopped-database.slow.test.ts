import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSettings } from '../../config/settings.ts'
import { openHome } from '../../src/home/folders.ts'
import { createLog } from '../../src/log/log.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { connect } from '../../src/store/connect.ts'
import { migrate } from '../../src/store/migrate.ts'
import { startEngine } from '../../src/worker.ts'
import { startCutProxy } from '../chaos/cut-proxy.ts'
import { startPostgres } from '../chaos/postgres-server.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'

type Line = { level: number; msg: string; err?: object }

/** A worker on this database, and what it has logged. */
const startWorker = async (databaseUrl: string) => {
  await using stack = new AsyncDisposableStack()
  const path = await mkdtemp(join(tmpdir(), 'vigia-home-'))
  stack.defer(() => rm(path, { recursive: true, force: true }))
  const sandbox = stack.use(await startSandbox())
  const settings = loadSettings(environmentOf(sandbox, databaseUrl, path))
  const sql = connect(databaseUrl, { max: 4 })
  stack.defer(() => sql.end({ timeout: 5 }))
  await migrate(sql)
  const lines: Line[] = []
  const log = createLog({ level: 'info', stream: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  const installation = { settings, home: await openHome(path), databaseUrl, sql, log }
  stack.use(await startEngine(installation, { drainMs: 1_000 }))
  const started = stack.move()
  return { lines, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

const warningsIn = (lines: readonly Line[]) =>
  lines.filter(({ level }) => level > 30).map(({ msg, err }) => ({ msg, err }))

const gone = { msg: 'the database cannot be reached: trying again', err: undefined }

test('a database that is restarted under a worker is logged in one line, without a stack', async () => {
  await using server = await startPostgres()
  await using worker = await startWorker((await server.createDatabase()).url)
  await server.restart('fast')
  await until(async () => worker.lines.some(({ msg }) => msg.startsWith('the database was restarted')))
  expect(warningsIn(worker.lines)).toEqual([gone])
})

test('a database that could not be reached for a while is one line, and one line says that it is back', async () => {
  let isAway = false
  let heartbeats = 0
  await using server = await startPostgres()
  await using proxy = await startCutProxy((query) => {
    if (isAway && query.includes('update vigia.fleet')) heartbeats++
    return isAway ? 'cutBefore' : 'pass'
  })
  await using worker = await startWorker(await proxy.through((await server.createDatabase()).url))
  isAway = true
  await until(async () => heartbeats > 1)
  isAway = false
  const back = () => worker.lines.filter(({ msg }) => msg === 'the database can be used again')
  await until(async () => back().length > 0)
  expect(back()).toHaveLength(1)
  expect(warningsIn(worker.lines)).toEqual([gone])
})
