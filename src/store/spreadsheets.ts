import type { Sql } from './connect.ts'

/** A spreadsheet that the registry made of an analysis: its row in the file, and the address it had when it was read. */
export type SpreadsheetRow = {
  line: number
  organizationId: bigint
  remoteId: string
  remoteKey: string | null
  url: string
}

/** The spreadsheets of a batch, one per look-up, in the order of the file, a page at a time. */
export const listSpreadsheets = (sql: Sql, batchId: bigint, afterLine: number, limit: number) => sql<SpreadsheetRow[]>`
  select r.line, l.organization_id as "organizationId", l.remote_id as "remoteId", l.remote_key as "remoteKey",
         a.data ->> 'spreadsheet' as url
    from batch_row r
    join lookup l on l.id = r.lookup_id
    join answer a on a.lookup_id = l.id
   where r.batch_id = ${batchId} and r.line > ${afterLine} and l.state = 'ok' and l.remote_id is not null
     and a.data ->> 'spreadsheet' is not null
     and not exists (select from batch_row e
                      where e.lookup_id = r.lookup_id and e.batch_id = r.batch_id and e.line < r.line)
   order by r.line
   limit ${limit}`
