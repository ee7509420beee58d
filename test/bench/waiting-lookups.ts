import { connect } from '../../src/store/connect.ts'
import { apart } from './apart.ts'
import type { Bench } from './bench.ts'
import type { Database } from './server.ts'

/** Milliseconds of a pass that dispatches 500 due look-ups, and of the bare select that locks the same rows. */
export type Passes = { pass: number; bare: number }

/** Passes over a table with `waiting` look-ups, measured once per round: several lines use the same run. */
export const passesOver = (bench: Bench, waiting: number, round: number): Promise<Passes> =>
  bench.once(`passes over ${waiting} in round ${round}`, async () => {
    const { url } = await waitingLookups(bench, waiting)
    return apart<Passes>('due-passes', { url, passes: bench.sizes.passes })
  })

/** One running batch of waiting look-ups: 500 are due, the others over the coming day. */
const waitingLookups = (bench: Bench, count: number): Promise<Database> =>
  bench.once(`waiting ${count}`, async () => {
    const database = await bench.server.database()
    const sql = connect(database.url, { max: 1, hasSession: true })
    const [batch] = await sql<{ id: bigint }[]>`
      insert into vigia.batch (organization_id, kind, source, name, state, rows)
      values (7001, 'analysis', 'cli', 'people', 'running', ${count})
      returning id`
    await sql`
      insert into vigia.lookup (organization_id, kind, question, document_type, batch_id, state, due_at, deadline_at,
                          sending_at, charged, remote_id, remote_key)
      select 7001, 'analysis', lpad(((n::bigint * 618033) % 1000000000)::text, 11, '0'), 'CPF', ${batch!.id}, 'waiting',
             case when n <= 500 then now() - interval '1 second' else now() + interval '1 day' * (n / ${count}::float8) + interval '1 hour' end,
             now() + interval '2 days', now(), 'yes', (900000000 + n)::text, n::text
        from generate_series(1, ${count}::int) n
       order by random()`
    await sql`vacuum analyze`
    await sql.end()
    return database
  })
