import type { Database } from '../../src/store/connect.ts'

/** Rows of a batch by the state of their look-ups, open ones too: counted from the rows, not from the stored counts. */
export const statesOf = async (sql: Database, batchId: bigint): Promise<Record<string, number>> => {
  const rows = await sql<{ state: string; rows: number }[]>`
    select case when r.reject_reason is not null then 'rejected' when r.cancelled then 'cancelled' else l.state end as state,
           count(*)::int as rows
      from vigia.batch_row r
      left join vigia.lookup l on l.id = r.lookup_id
     where r.batch_id = ${batchId}
     group by 1
     order by 1`
  return Object.fromEntries(rows.map(({ state, rows: count }) => [state, count]))
}

export const answersOf = async (sql: Database, batchId: bigint): Promise<number> => {
  const [row] = await sql<{ answers: number }[]>`
    select count(*)::int as answers
      from vigia.answer a
      join vigia.batch_row r on r.lookup_id = a.lookup_id
     where r.batch_id = ${batchId}`
  return row?.answers ?? 0
}
