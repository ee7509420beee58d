/** What the reports of a batch say of a row, whatever they are written as. */
export const resultRows = (batchId: bigint): string => `
        from vigia.batch_row r
        left join vigia.lookup l on l.id = r.lookup_id
        left join vigia.intent i on i.lookup_id = l.id
        left join vigia.answer a on a.lookup_id = l.id
       where r.batch_id = ${batchId}`

/** COPY takes no parameters: what varies is written into its text. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
