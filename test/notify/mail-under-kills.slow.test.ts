import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { loadSettings } from '../../config/settings.ts'
import { batchJobs, lookupJobs } from '../../jobs/index.ts'
import { createLog } from '../../src/log/log.ts'
import { notifyPeople } from '../../src/monitoring/notify-people.ts'
import { openSender } from '../../src/queue/boss.ts'
import { createQueues } from '../../src/queue/start-jobs.ts'
import { listAlerts } from '../../src/views/installation.ts'
import { seededRandom } from '../chaos/random.ts'
import { install } from '../cli/vigia-process.ts'
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
    await t.notify(`event ${killed}`)
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

/** The real program, whose worker is killed and started again, and a sender of its own. */
const openSending = async (smtpUrl: string) => {
  await using stack = new AsyncDisposableStack()
  const g = stack.use(await install({ alerts: { email: { from: 'vigia@example.com', to: people } } }))
  Object.assign(g.env, { SMTP_URL: smtpUrl, LOG_LEVEL: 'error' })
  const settings = loadSettings(g.env)
  const { boss } = stack.use(await openSender(g.env.DATABASE_URL!, createLog({ level: 'silent' })))
  await createQueues(boss, lookupJobs, batchJobs)
  const children: ChildProcess[] = []
  stack.defer(() => void children.map((child) => child.kill('SIGKILL')))
  const opened = stack.move()
  return {
    sql: g.sql,
    /** Starts another worker, and returns once it takes work. */
    async start(): Promise<ChildProcess> {
      const { child } = g.start('worker', '--json')
      children.push(child)
      await once(child.stdout!, 'data')
      return child
    },
    notify: (key: string) =>
      notifyPeople(
        { sql: g.sql, boss, settings, clock: () => new Date() },
        { key, about: 'test', severity: 'info', body: { by: key } },
      ),
    /** The ids of the mails that are not recorded as accepted. */
    unrecorded: async () =>
      (await listAlerts(g.sql, 1_000)).filter(({ sent }) => !sent).map(({ id }) => `<${id}@vigia>`),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
