import { lookupJobs } from '../../../jobs/index.ts'
import type { Tools } from '../../../jobs/tools.ts'
import { dispatchDue } from '../../../src/engine/dispatch.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { createLog } from '../../../src/log/log.ts'
import { startBoss } from '../../../src/queue/boss.ts'
import { createQueues } from '../../../src/queue/start-jobs.ts'
import { connect, type Database } from '../../../src/store/connect.ts'
import { median } from '../outcome.ts'
import { runTask } from '../task.ts'

const due = 500

/** Bare select and dispatch pass, alternately; after each pass its look-ups are made due again. */
await runTask(async ({ url, passes }: { url: string; passes: number }) => {
  const sql = connect(url, { max: 2, hasSession: true })
  const boss = await startBoss(url, createLog({ level: 'warn' }))
  await createQueues(boss, lookupJobs, [])
  const engine = { sql, boss, jobs: lookupJobs, clock: () => new Date() } as unknown as Engine<Tools>
  const bare: number[] = []
  const pass: number[] = []
  // The first passes are not counted: connections open, statements are prepared, code is compiled.
  for (let n = -3; n < passes; n++) {
    const times = [await timeOf(() => lockBare(sql)), await timeOf(() => dispatchDue(engine, due, new Map()))] as const
    await putBack(sql)
    if (n < 0) continue
    bare.push(times[0])
    pass.push(times[1])
  }
  await boss.stop({ graceful: false })
  await sql.end()
  return { bare: median(bare), pass: median(pass) }
})

async function timeOf(work: () => Promise<number>): Promise<number> {
  const began = performance.now()
  const count = await work()
  const ms = performance.now() - began
  if (count !== due) throw new Error(`A pass had ${count} look-ups instead of ${due}`)
  return ms
}

async function lockBare(sql: Database): Promise<number> {
  return sql.begin(async (tx) => {
    const rows = await tx`
      select id, batch_id, organization_id, kind, state, worker_deaths
        from vigia.lookup
       where kind = 'analysis' and state = 'waiting' and batch_id = 1 and due_at <= now()
       order by due_at
       limit ${due}
         for update skip locked`
    return rows.length
  })
}

async function putBack(sql: Database): Promise<void> {
  await sql`delete from vigia.claim`
  await sql`delete from pgboss.job`
  await sql`vacuum vigia.lookup`
}
