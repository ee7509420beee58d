/** What the reports of a batch say of a row, whatever they are written as: the tables, and the rules that SQL text shares. */
export const resultRows = (batchId: bigint): string => `
        from vigia.batch_row r
        left join vigia.lookup l on l.id = r.lookup_id
        left join vigia.intent i on i.lookup_id = l.id
        left join vigia.answer a on a.lookup_id = l.id
       where r.batch_id = ${batchId}`

/** Its detail says where the answer comes from, though there is one. A radar found in the list was bought by nobody. */
const boughtElsewhere = `(l.adopted_at is not null and l.charged = 'no' and l.kind in ('analysis', 'cnh'))`

/** Whether there is more to say of a row than how it ended. */
export const hasDetail = `(not r.cancelled and (l.state <> 'ok' or ${boughtElsewhere}))`

/** One row pays; those that share its answer do not. */
export const rowCharged = `
  case when r.pays and l.batch_id = r.batch_id then case when i.lookup_id is null then l.charged else 'unknown' end else 'no' end`

/** COPY takes no parameters: what varies is written into its text. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
