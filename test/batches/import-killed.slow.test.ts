import { expect, test } from 'vitest'
import { accounts } from '../../src/sandbox/tokens.ts'
import { readBatch } from '../../src/store/batches/batches.ts'
import type { Database } from '../../src/store/connect.ts'
import { cpf, cpfs, csvOf } from '../support/documents.ts'
import { until } from '../support/until.ts'
import { setupGround } from './ground.ts'
import { longestPartMs, type Measured, slackMiB } from './measure-process.ts'
import { kill, runProcess, startProcess } from './run-process.ts'

const rowsOf = (sql: Database, batchId: bigint) => sql`
  select r.line, r.start_at, r.size, r.pays, r.repair, r.reject_reason, r.message, l.question
    from vigia.batch_row r
    left join vigia.lookup l on l.id = r.lookup_id
   where r.batch_id = ${batchId}
   order by r.line`

test('an import killed at random moments ends with the same rows, none twice', async () => {
  await using t = await setupGround()
  const rows = 60_000
  const text = csvOf(Array.from({ length: rows }, (_, i) => (i % 7 === 0 ? 'junk' : cpf(i % 50_000))))
  const untouched = await t.imported(text, { organizationId: accounts[1].organizationId })
  const id = await t.submit(text)
  const env = { ...t.env, BATCH: String(id) }

  for (const share of [0.02, 0.3, 0.45, 0.6, 0.85]) {
    const child = startProcess('import-process.ts', env)
    const moment = share * rows + Math.random() * 0.1 * rows
    await until(async () => ((await readBatch(t.sql, id))?.importedTo ?? 0) >= moment)
    await kill(child)
  }
  await runProcess('import-process.ts', env)

  const { state, rejected, toBePaid, importedTo } = untouched
  expect(await readBatch(t.sql, id)).toMatchObject({ state, rows, rejected, toBePaid, importedTo })
  expect(await rowsOf(t.sql, id)).toEqual(await rowsOf(t.sql, untouched.id))
})

test('an import takes flat memory and never holds up the event loop', async () => {
  await using t = await setupGround()
  const measure = async (documents: string[], organizationId: number) => {
    const id = await t.submit(csvOf(documents), { organizationId })
    return runProcess<Measured>('import-process.ts', { ...t.env, BATCH: String(id) })
  }

  const small = await measure(cpfs(100_000), 1)
  const large = await measure(cpfs(300_000), 2)

  expect(large.longestTurnMs).toBeLessThan(longestPartMs)
  expect(large.peakMiB).toBeLessThan(256)
  expect(large.peakMiB).toBeLessThan(small.peakMiB + slackMiB)
})
