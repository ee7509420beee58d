import { expect, test } from 'vitest'
import { type Boss, startBoss, stopBoss } from '../../src/queue/boss.ts'
import { connect, isNotified } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'

/** A queue with one active job, which ends when the test ends it. */
const setup = async () => {
  await using stack = new AsyncDisposableStack()
  const database = await createDatabase()
  stack.defer(() => database.drop())
  const sql = connect(database.url, { max: 1 })
  stack.defer(() => sql.end())
  const boss: Boss = await startBoss(
    database.url,
    { error() {}, warn() {} },
    { listens: await isNotified(database.url) },
  )
  const [begun, outcome] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await boss.createQueue('slow', { retryLimit: 1 })
  await boss.send('slow', {})
  await boss.work('slow', async () => {
    begun.resolve()
    await outcome.promise
  })
  await begun.promise
  const stateOf = async () =>
    (await sql<{ state: string }[]>`select state from pgboss.job where name = 'slow'`)[0]?.state
  const held = stack.move()
  return { boss, end: outcome.resolve, stateOf, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

test('an active job ends before the queues close', async () => {
  await using t = await setup()
  const stopping = stopBoss(t.boss, ['slow'], 20_000)
  t.end()
  await stopping
  expect(await t.stateOf()).toBe('completed')
})

test('a job that takes longer than the timeout returns to its queue', async () => {
  await using t = await setup()
  await stopBoss(t.boss, ['slow'], 50)
  expect(await t.stateOf()).toBe('retry')
  t.end()
})
