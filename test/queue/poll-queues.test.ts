import { expect, test } from 'vitest'
import { startBoss } from '../../src/queue/boss.ts'
import { queuesWithJobs } from '../../src/queue/boss-tables.ts'
import { pollQueues, takeJobs } from '../../src/queue/start-jobs.ts'
import { connect } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

test('one poll names the queues with a job that is due, and wakes who takes it', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  const boss = await startBoss(database.url, { error() {}, warn() {} }, { listens: false })
  for (const name of ['due', 'later', 'empty']) await boss.createQueue(name)
  const taken: string[] = []
  await takeJobs(boss, 'due', async ({ name }) => void taken.push(name))
  await until(async () => boss.getWipData()[0]?.lastFetchedOn)

  await boss.send('later', {}, { startAfter: 3_600 })
  await boss.send('due', {})
  expect(await queuesWithJobs(sql)).toEqual(new Set(['due']))
  await until(async () => {
    await pollQueues(sql, boss)
    return taken.length > 0
  })

  await boss.stop({ graceful: false })
  await sql.end()
  await database.drop()
})
