import { PgBoss } from 'pg-boss'
import { connect } from '../../../src/store/connect.ts'
import { lookUpRows, type Peer } from '../peer.ts'
import { runTask, secondsSince } from '../task.ts'

/**
 * A job per row with pg-boss at its fastest: fetched by tens, and at once again while there are more. One by one, each
 * fetcher would sleep half a second after every job. The jobs exist before the clock starts.
 */
await runTask(async ({ url, registryUrl, open }: Peer) => {
  const sql = connect(url, { max: 10, hasSession: true })
  const rows = await lookUpRows(sql, registryUrl, open)
  const boss = new PgBoss({ connectionString: url, schema: 'peer' })
  boss.on('error', console.error)
  await boss.start()
  await boss.createQueue('look-up')
  const questions = await sql<{ id: bigint; question: string }[]>`select id, question from vigia.lookup order by id`
  for (let at = 0; at < questions.length; at += 1_000) {
    const some = questions.slice(at, at + 1_000)
    await boss.insert(
      'look-up',
      some.map(({ id, question }) => ({ data: { id: String(id), question } })),
    )
  }
  await sql`analyze`
  const began = performance.now()
  const batchSize = 10
  const options = {
    batchSize,
    burstWhenBatchFull: true,
    localConcurrency: open / batchSize,
    pollingIntervalSeconds: 0.5,
  }
  await boss.work<{ id: string; question: string }>('look-up', options, async (jobs) => {
    await Promise.all(jobs.map(({ data }) => rows.lookUp(data)))
  })
  await rows.done
  const seconds = secondsSince(began)
  await boss.stop({ graceful: false })
  return { seconds, count: await rows.end() }
})
