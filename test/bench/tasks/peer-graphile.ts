import { Logger, run, runMigrations } from 'graphile-worker'
import { connect } from '../../../src/store/connect.ts'
import { lookUpRows, type Peer } from '../peer.ts'
import { runTask, secondsSince } from '../task.ts'

/** A job per row with graphile-worker, as its documentation shows it. The jobs exist before the clock starts. */
await runTask(async ({ url, registryUrl, open }: Peer) => {
  const sql = connect(url, { max: 10, hasSession: true })
  const rows = await lookUpRows(sql, registryUrl, open)
  const logger = new Logger(() => () => {})
  await runMigrations({ connectionString: url, logger })
  await sql`
    select graphile_worker.add_job('look-up', json_build_object('id', id::text, 'question', question)) from vigia.lookup`
  await sql`analyze`
  const began = performance.now()
  const runner = await run({
    connectionString: url,
    concurrency: open,
    maxPoolSize: open,
    logger,
    parsedCronItems: [],
    noHandleSignals: true,
    taskList: { 'look-up': (payload) => rows.lookUp(payload as { id: string; question: string }) },
  })
  await rows.done
  const seconds = secondsSince(began)
  await runner.stop()
  return { seconds, count: await rows.end() }
})
