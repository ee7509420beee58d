import { DBOS } from '@dbos-inc/dbos-sdk'
import { connect } from '../../../src/store/connect.ts'
import { lookUpRows, type Peer } from '../peer.ts'
import { runTask, secondsSince } from '../task.ts'

type Row = { id: string; question: string }

const queueName = 'look-up'
const logger = { info() {}, debug() {}, warn() {}, error: console.error }

/**
 * A durable workflow per row with DBOS: buying is one step, consulting and storing another, so that it knows after a crash
 * which purchases were answered. The workflows exist before the clock starts.
 */
await runTask(async ({ url, registryUrl, open }: Peer) => {
  const sql = connect(url, { max: 10, hasSession: true })
  const rows = await lookUpRows(sql, registryUrl, open)
  DBOS.setConfig({ name: 'peer', systemDatabaseUrl: url, systemDatabasePoolSize: open, logger })
  const lookUp = DBOS.registerWorkflow(
    async ({ id, question }: Row): Promise<void> => {
      const analysis = await DBOS.runStep(() => rows.buy(question), { name: 'buy' })
      await DBOS.runStep(() => rows.consult(id, analysis), { name: 'consult' })
    },
    { name: 'look-up' },
  )
  await DBOS.launch()
  const questions = await sql<Row[]>`select id::text, question from vigia.lookup order by id`
  for (let at = 0; at < questions.length; at += 100) {
    const some = questions.slice(at, at + 100)
    await Promise.all(some.map(({ id, question }) => DBOS.startWorkflow(lookUp, { queueName })({ id, question })))
  }
  await sql`analyze`
  const began = performance.now()
  // By default it asks for work once a second, and would start fifty a second.
  await DBOS.registerQueue(queueName, { workerConcurrency: open, minPollingIntervalMs: 10 })
  await rows.done
  const seconds = secondsSince(began)
  await DBOS.shutdown()
  return { seconds, count: await rows.end() }
})
