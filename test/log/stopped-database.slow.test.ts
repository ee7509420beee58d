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
import { startPostgres } from '../chaos/postgres-server.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'

test('a database that is restarted under a worker is logged in one line, without a stack', async () => {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startPostgres())
  const { url: databaseUrl } = await server.createDatabase()
  const path = await mkdtemp(join(tmpdir(), 'vigia-home-'))
  stack.defer(() => rm(path, { recursive: true, force: true }))
  const sandbox = stack.use(await startSandbox())
  const settings = loadSettings(environmentOf(sandbox, databaseUrl, path))
  const sql = connect(databaseUrl, { max: 4 })
  stack.defer(() => sql.end({ timeout: 5 }))
  await migrate(sql)
  const lines: { level: number; msg: string; err?: object }[] = []
  const log = createLog({ level: 'info', stream: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  const installation = { settings, home: await openHome(path), databaseUrl, sql, log }
  stack.use(await startEngine(installation, { drainMs: 1_000 }))

  await server.restart('fast')
  await until(async () => lines.some(({ msg }) => msg.startsWith('the database was restarted')))
  const warnings = lines.filter(({ level }) => level > 30).map(({ msg, err }) => ({ msg, err }))
  expect(warnings).toEqual([{ msg: 'the database cannot be reached: trying again', err: undefined }])
}, 60_000)
