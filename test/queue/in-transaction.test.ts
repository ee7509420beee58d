import { expect, test } from 'vitest'
import { inTransaction, startBoss } from '../../src/queue/boss.ts'
import { connect } from '../../src/store/connect.ts'
import { createDatabase } from '../support/database.ts'

test('jobs are added in our transaction, and pg-boss reads what its statements return there', async () => {
  const database = await createDatabase()
  const sql = connect(database.url)
  const boss = await startBoss(database.url, { error() {}, warn() {} }, { listens: false })
  await boss.createQueue('kept', { notify: true })
  const jobs = [{ data: { batch_id: 1 } }, { data: { batch_id: 2 } }]
  const added = (isLost: boolean) =>
    sql.begin(async (tx) => {
      const one = await boss.send('kept', { batch_id: 0 }, inTransaction(tx))
      const two = await boss.insert('kept', jobs, { ...inTransaction(tx), returnId: true })
      if (isLost) throw new Error('lost')
      return [one, ...two!]
    })

  await expect(added(true)).rejects.toThrow('lost')
  const ids = await added(false)
  const found = await boss.findJobs('kept')
  expect(found.map(({ id, data }) => [id, data])).toEqual(
    expect.arrayContaining(ids.map((id, n) => [id, { batch_id: n }])),
  )
  expect(found).toHaveLength(3)

  await boss.stop({ graceful: false })
  await sql.end()
  await database.drop()
})
