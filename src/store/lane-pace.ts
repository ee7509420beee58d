import { type Kind, spendingKinds } from '../domain/kind.ts'
import type { Sql } from './connect.ts'

/** What a lane's last batches were like: look-ups a second once answers come, and how long one of them takes. */
export type LanePace = { perSecond: number; secondsEach: number }

/**
 * Measured on the last five batches that asked enough to tell; null where there are none.
 *
 * Of their paces the middle one counts, so that a night in which the lane was held says nothing. How long a look-up
 * takes from its call to its answer is read from the first rows of each.
 */
export const readLanePace = async (sql: Sql, organizationId: number, kind: Kind): Promise<LanePace | null> => {
  const asked = spendingKinds.includes(kind) ? sql`b.spent` : sql`b.rows - b.rejected`
  const [row] = await sql<{ perSecond: number | null; secondsEach: number | null }[]>`
    select percentile_cont(0.5) within group (order by asked / greatest(seconds - each_one, seconds / 10, 0.001)) as "perSecond",
           percentile_cont(0.5) within group (order by each_one) as "secondsEach"
      from (select ${asked} as asked, extract(epoch from b.finished_at - b.started_at)::float8 as seconds,
                   coalesce((select avg(extract(epoch from answered.finished_at - answered.sending_at))::float8
                               from (select l.finished_at, l.sending_at
                                       from batch_row r
                                       join lookup l on l.id = r.lookup_id
                                      where r.batch_id = b.id and r.first and l.batch_id = b.id and l.state = 'ok'
                                      order by r.line
                                      limit 200) as answered), 0) as each_one
              from batch b
             where b.organization_id = ${organizationId} and b.kind = ${kind} and b.state = 'done' and b.file_id is not null
               and ${asked} >= ${enough}
             order by b.id desc
             limit 5) as recent`
  if (!row || row.perSecond === null) return null
  return { perSecond: row.perSecond, secondsEach: row.secondsEach ?? 0 }
}

const enough = 20
