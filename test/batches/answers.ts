import type { Database } from '../../src/store/connect.ts'

export type Answers = { limit?: number; remoteId?: string; cents?: bigint }

/** Ends the open look-ups of a batch as the registry's answers would, without a registry, for tests of exports. */
export const answerAll = async (
  sql: Database,
  batchId: bigint,
  { limit, remoteId = '', cents = 123456n }: Answers = {},
) => {
  const ended = await sql<{ id: bigint }[]>`
    update vigia.lookup
       set state = 'ok', due_at = null, finished_at = now(), as_of = '2026-11-01T12:00:00Z', charged = 'yes',
           remote_id = ${remoteId}::text || id
     where id in (select id from vigia.lookup where batch_id = ${batchId} and finished_at is null
                   order by id limit ${limit ?? null})
    returning id`
  await sql`
    insert into vigia.answer (lookup_id, counts, cents)
    select id, array_fill(7, array[20]), array_fill(${cents}::bigint, array[20])
      from unnest(${ended.map(({ id }) => id)}::bigint[]) as id`
}
