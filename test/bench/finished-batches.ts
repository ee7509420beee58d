import { connect, type Database as Sql } from '../../src/store/connect.ts'
import type { Bench } from './bench.ts'
import { openGround } from './ground.ts'
import { peopleFile } from './people-file.ts'
import type { Database } from './server.ts'

export type FinishedBatches = { database: Database; large: bigint; small: bigint }

/** A database with a large and a small batch whose look-ups have all been answered, as if by the registry. */
export const finishedBatches = (bench: Bench): Promise<FinishedBatches> =>
  bench.once('finished batches', async () => {
    const database = await bench.server.database()
    const [large, small] = await importBoth(bench, database)
    const sql = connect(database.url, { max: 1, hasSession: true })
    await answerAll(sql)
    await sql.end()
    return { database, large, small }
  })

const importBoth = async (bench: Bench, database: Database): Promise<[bigint, bigint]> => {
  await using ground = await openGround(bench, { database })
  const { client } = ground
  const importFile = async (rows: number) => {
    const batch = await client.submit(await peopleFile(bench, rows), { confirmAbove: 0 })
    await client.until(batch, ({ importedAt }) => importedAt)
    return batch
  }
  return [await importFile(bench.sizes.rows), await importFile(bench.sizes.fewerRows)]
}

/** Figures of many sizes, so that the forty columns are as wide as real ones. */
const answerAll = async (sql: Sql): Promise<void> => {
  await sql`
    insert into vigia.answer (lookup_id, counts, cents)
    select id, array(select (id + n) % 37 from generate_series(1, 20) n),
               array(select (id * 7919 * n) % 100000000 from generate_series(1, 20) n)
      from vigia.lookup`
  await sql`
    update vigia.lookup
       set state = 'ok', charged = 'yes', due_at = null, finished_at = now(), as_of = now(), sending_at = now(),
           remote_id = (900000000 + id)::text, remote_key = id::text, seen = 'DONE/DONE/DONE'`
  await sql`vacuum analyze`
}
