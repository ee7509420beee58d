import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { loadSettings } from '../../config/settings.ts'
import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import { createLog } from '../../src/log/log.ts'
import { notifyPeople } from '../../src/monitoring/notify-people.ts'
import { openSender } from '../../src/queue/boss.ts'
import { createQueues } from '../../src/queue/start-jobs.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { connect } from '../../src/store/connect.ts'
import { migrate } from '../../src/store/migrate.ts'
import { listAlerts } from '../../src/views/installation.ts'
import { seededRandom } from '../chaos/random.ts'
import { compileCache } from '../support/compile-cache.ts'
import { createDatabase } from '../support/database.ts'
import { environmentOf } from '../support/setup.ts'
import { until } from '../support/until.ts'
import { startMailbox } from './mailbox.ts'

/** The complete test is `MAIL_KILLS=60`. */
const kills = Number(process.env.MAIL_KILLS ?? 6)
const people = ['ana@example.com', 'bia@example.com']

/**
 * A kill comes before the server has accepted a mail, right after it, or at any other moment, in turn. Between
 * acceptance and the worker's record of it nobody can know: such a mail is sent again, under the same id.
 */
test(`every mail arrives over ${kills} kills of the worker that sends, and twice only where nobody could know`, async () => {
  let worker: ChildProcess | undefined
  let next: 'before' | 'after' | null = null
  const unknowable = new Set<string>()
  const shoot = () => worker?.kill('SIGKILL')
  const accept = () => {
    if (next !== 'before') return
    next = null
    shoot()
    throw Object.assign(new Error('gone'), { responseCode: 451 })
  }
  const accepted = () => {
    if (next !== 'after') return
    next = null
    shoot()
  }
  await using mailbox = await startMailbox(accept, 0, accepted)
  await using t = await openSending(mailbox.url)
  const random = seededRandom(60)

  for (let killed = 0; killed < kills; killed++) {
    worker = await t.start()
    const gone = once(worker, 'exit')
    const moment = (['before', 'after', 'any'] as const)[killed % 3]!
    next = moment === 'any' ? null : moment
    await t.formatMessage(`event ${killed}`)
    if (moment === 'any') {
      await pause(random.between(0, 400))
      shoot()
    }
    await gone
    const open = await t.unrecorded()
    for (const { id } of mailbox.received) if (open.includes(id)) unknowable.add(id)
  }
  worker = await t.start()
  await until(async () => (await t.unrecorded()).length === 0, 170_000)

  const expected = (await listAlerts(t.sql, 1_000)).map(({ id }) => `<${id}@vigia>`)
  expect(expected).toHaveLength(kills * people.length)
  const ids = mailbox.received.map(({ id }) => id)
  expect([...new Set(ids)].sort()).toEqual(expected.sort())
  const repeated = ids.filter((id, at) => ids.indexOf(id) !== at)
  expect(repeated.filter((id) => !unknowable.has(id))).toEqual([])
  expect(repeated.length).toBeLessThanOrEqual(kills)
}, 1_200_000)

const openSending = async (smtpUrl: string) => {
  await using stack = new AsyncDisposableStack()
  const database = await createDatabase()
  stack.defer(() => database.drop())
  const home = await mkdtemp(join(tmpdir(), 'vigia-mail-'))
  stack.defer(() => rm(home, { recursive: true, force: true }))
  const sandbox = stack.use(await startSandbox())
  const config = join(home, 'settings.json')
  await writeFile(config, JSON.stringify({ alerts: { email: { from: 'vigia@example.com', to: people } } }))
  const env = {
    ...environmentOf(sandbox, database.url, home),
    VIGIA_CONFIG: config,
    SMTP_URL: smtpUrl,
    LOG_LEVEL: 'error',
  }
  const settings = loadSettings(env)
  const sql = connect(database.url)
  stack.defer(() => sql.end({ timeout: 5 }))
  await migrate(sql)
  const sender = stack.use(await openSender(database.url, createLog({ level: 'silent' })))
  await createQueues(sender.boss, lookupJobs, batchJobs)
  const children: ChildProcess[] = []
  stack.defer(() => void children.map((child) => child.kill('SIGKILL')))
  const opened = stack.move()
  return {
    sql,
    /** Starts another worker, and returns once it takes work. */
    async start(): Promise<ChildProcess> {
      const program = join(import.meta.dirname, 'sending-process.ts')
      const child = spawn(process.execPath, [program], {
        env: { ...env, PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      children.push(child)
      await once(child.stdout!, 'data')
      return child
    },
    formatMessage: (key: string) =>
      notifyPeople(
        { sql, boss: sender.boss, settings, clock: () => new Date() },
        { key, about: 'test', severity: 'info', body: { by: key } },
      ),
    /** The ids of the mails that are not recorded as accepted. */
    unrecorded: async () => (await listAlerts(sql, 1_000)).filter(({ sent }) => !sent).map(({ id }) => `<${id}@vigia>`),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
